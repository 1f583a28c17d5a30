import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PriorAuthView } from "../../core/operation/priorAuth.ts"
import { serveLibrary, stores } from "./serveLibrary.ts"

describe.each(stores)("POST /prior-auth/check (contract §2), over %s", (_, ports) => {
  let served: Awaited<ReturnType<typeof serveLibrary>>
  beforeAll(async () => {
    served = await serveLibrary(ports())
  })
  afterAll(() => served.close())
  const check = (body: object) => served.data("/prior-auth/check", body, PriorAuthView)
  const day = "2026-01-15"

  it("says yes with the rule's checklist, its day and citation", async () => {
    const data = await check({ procedure_codes: ["e0193 "], state: "tx", date_of_service: day })
    expect(data).toMatchObject({
      pa_required: true,
      prior_auth_required: true,
      coverage_status: "conditional",
      denial_risk: "high",
      effective_date: "2019-10-21",
      coverage_decision: { prior_auth_required: true, coverage_status: "conditional" },
      diagnosis_support: expect.any(String),
      mac: { name: "CGS", code: "18003", jurisdiction: "DME JC", jurisdiction_name: "DME Jurisdiction C" }
    })
    expect(data.matched_policies).toMatchObject([
      { policy_id: "L33693", policy_type: "LCD", jurisdiction: "DME JC" }
    ])
    expect(data.matched_policies[0]?.codes).toEqual([
      {
        code: "E0193",
        code_system: "HCPCS",
        disposition: "conditional",
        description: "Powered air flotation bed"
      }
    ])
    expect(data.programs_checked.find((one) => one.program === "DMEPOS")).toEqual({
      program: "DMEPOS",
      list_as_of: "2026-04-13",
      source_url: "https://www.federalregister.gov/citation/84-FR-16616"
    })
    expect(data.policy_sources).toMatchObject([{ policy_id: "L33693", source_id: "L33693@1" }])
    expect(data.documentation_checklist).toContain("Written order prior to delivery")
    expect(data.trace.at(-1)).toMatchObject({
      document_version: null,
      quote: null,
      citation: { section: "42 CFR 414.234" }
    })
  })

  it.each([
    ["2019-07-21", "CA", false],
    ["2019-07-22", "CA", true],
    ["2019-10-20", "TX", false],
    ["2019-10-21", "TX", true]
  ])("PRSS on %s in %s: %s", async (date, state, required) => {
    const data = await check({ procedure_codes: ["E0193"], date_of_service: date, state })
    expect(data.pa_required).toBe(required)
  })

  it("is open to extra keys, and an outpatient code hangs on the site in any usual writing", async () => {
    const asked = { procedure_codes: ["15823"], date_of_service: day, clinic: "north" }
    const open = await check(asked)
    expect(open).toMatchObject({
      pa_required: false,
      prior_auth_required: false,
      requires_manual_review: true,
      coverage_decision: { prior_auth_required: null, requires_manual_review: true }
    })
    expect(open.known_gaps).toEqual(expect.arrayContaining(["prior_authorization", "site_of_service"]))
    expect(open.coverage_decision.known_gaps).toEqual(open.known_gaps)
    expect((await check({ ...asked, site_of_service: "Hospital Outpatient" })).pa_required).toBe(true)
    expect((await check({ ...asked, site_of_service: "11" })).pa_required).toBe(false)
  })

  it("never needs it for what is not covered", async () => {
    expect(await check({ procedure_codes: ["E0240"], date_of_service: day })).toMatchObject({
      pa_required: false,
      coverage_status: "not_covered",
      denial_risk: "high"
    })
  })

  it("a code of no list is false while the lists are fresh, and unknown a year later", async () => {
    const fresh = await check({ procedure_codes: ["99213"], date_of_service: day })
    expect(fresh).toMatchObject({
      pa_required: false,
      coverage_status: "unknown",
      confidence: "low",
      coverage_decision: { prior_auth_required: false },
      matched_policies: [],
      mac: null
    })
    expect(fresh.known_gaps).not.toContain("prior_authorization")
    expect(await check({ procedure_codes: ["99213"], date_of_service: "2027-05-01" })).toMatchObject({
      pa_required: false,
      requires_manual_review: true,
      coverage_decision: { prior_auth_required: null }
    })
  })

  it.each([
    ["a HCPCS code that the table of its year does not hold", "K9999"],
    ["a CPT code that the fee schedule of its year does not hold", "99199"]
  ])("coverage-domain §2.1 rule 1: %s is null, and never false", async (_, code) => {
    const found = await check({ procedure_codes: [code], state: "TX", date_of_service: day })
    expect(found).toMatchObject({
      pa_required: false,
      requires_manual_review: true,
      confidence: "low",
      denial_risk: "medium",
      known_gaps: ["code_not_found", "prior_authorization"],
      coverage_decision: { prior_auth_required: null }
    })
    expect(found.reason).toMatch(/^\w+ is not in the code table for the date of service/)
    expect(found.trace.map((step) => step.rule)).toContain("prior_auth.code_not_found")
  })

  it("coverage-domain §2.1 rule 1: outside every edition a code is judged by no table", async () => {
    const early = { state: "TX", date_of_service: "2025-05-01" }
    const equipment = await check({ procedure_codes: ["K9999"], ...early })
    expect(equipment.known_gaps).toContain("hcpcs_edition")
    expect(equipment.known_gaps).not.toContain("code_not_found")
    const service = await check({ procedure_codes: ["99199"], ...early })
    expect(service.known_gaps).not.toContain("code_not_found")
  })

  it("a code that has ended is on no list: false, with the risk of its issue", async () => {
    expect(await check({ procedure_codes: ["K0002"], state: "TX", date_of_service: day })).toMatchObject({
      denial_risk: "medium",
      confidence: "low",
      coverage_decision: { prior_auth_required: false }
    })
  })

  it("a payer's own rules decide for it; an unknown payer is a gap, an unknown state refused", async () => {
    const acme = { procedure_codes: ["E0193"], date_of_service: day, payer: "acme health" }
    expect(await check(acme)).toMatchObject({
      pa_required: true,
      documentation_checklist: ["Plan of care"],
      policy_sources: [{ policy_id: "ACME-MED-7" }],
      programs_checked: [],
      mac: null
    })
    expect(await check({ ...acme, payer: "nobody" })).toMatchObject({
      pa_required: false,
      known_gaps: ["payer", "prior_authorization"],
      requires_manual_review: true,
      programs_checked: [],
      coverage_decision: { prior_auth_required: null }
    })
    expect(await served.refusal("/prior-auth/check", { ...acme, state: "ZZ" })).toBe(
      "RESOURCE_JURISDICTION_NOT_FOUND"
    )
  })

  it("pages criteria over indications and then limitations", async () => {
    const asked = { procedure_codes: ["20610"], date_of_service: day, state: "TX" }
    const { criteria_details: whole } = await check(asked)
    expect(whole.indications.map((one) => one.policy_id)).toEqual(["L35000"])
    expect(whole.limitations.map((one) => one.text)).toEqual(["No more than three injections a year."])
    expect(whole.pagination).toEqual({
      page: 1,
      per_page: 25,
      total: 2,
      total_indications: 1,
      total_limitations: 1
    })
    const { criteria_details: second } = await check({ ...asked, criteria_page: 2, criteria_per_page: 1 })
    expect([second.indications.length, second.limitations.length]).toEqual([0, 1])
    expect(second.pagination).toEqual({
      page: 2,
      per_page: 1,
      total: 2,
      total_indications: 1,
      total_limitations: 1
    })
  })
})
