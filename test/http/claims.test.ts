import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ClaimView } from "../../core/operation/claims.ts"
import { serveLibrary, stores } from "./serveLibrary.ts"

describe.each(stores)("POST /claims/validate (contract §2), over %s", (_, ports) => {
  let served: Awaited<ReturnType<typeof serveLibrary>>
  beforeAll(async () => {
    served = await serveLibrary(ports())
  })
  afterAll(() => served.close())
  const validate = (body: object) => served.data("/claims/validate", body, ClaimView)
  const knee = {
    procedure_codes: ["20610"],
    diagnosis_codes: ["M17.11"],
    state: "TX",
    date_of_service: "2026-01-15",
    site_of_service: "office"
  }

  it("echoes what was sent, and null for what was not", async () => {
    expect(await validate(knee)).toMatchObject({
      ...knee,
      payer: null,
      line_of_business: null,
      provider_specialty: null,
      plan_type: null,
      modifiers: null,
      age_category: null,
      sex_when_policy_relevant: null,
      units: null
    })
  })

  it("begins with a summary, states each condition once and refers to it by id", async () => {
    const claim = await validate(knee)
    expect(Object.keys(claim)[0]).toBe("summary")
    expect(claim.summary).toMatch(/^Conditional under .+ Confirm the .+\.$/)
    const ids = claim.conditions.map(({ condition_id }) => condition_id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(claim.codes[0]?.conditions.map(({ condition_id }) => condition_id)).toEqual(ids)
    const stepIds = claim.trace.flatMap(({ condition_id }) => condition_id ?? [])
    expect(stepIds.every((id) => ids.includes(id))).toBe(true)
    const sources = claim.codes[0]?.policy_sources.map(({ source_id }) => source_id)
    expect(sources).toEqual(claim.policy_sources.map(({ source_id }) => source_id))
  })

  it("leaves out the trace where the request does not want it, and nothing else", async () => {
    const { trace, ...rest } = await validate({ ...knee, trace: "none" })
    expect(trace).toEqual([])
    expect(await validate({ ...knee, trace: "full" })).toMatchObject(rest)
  })

  it("a supporting diagnosis leaves the LCD to be read; one that is not listed is not covered", async () => {
    const supported = await validate(knee)
    expect(supported).toMatchObject({
      coverage_status: "conditional",
      diagnosis_support: "supported",
      overall_risk: "medium",
      prior_auth_required: false,
      confidence: "medium",
      mac: { code: "04412" },
      codes: [{ code: "20610", code_type: "CPT", description: null, policy_count: 2 }]
    })
    const arthritis = "Osteoarthritis, right knee"
    const injection = { code: "20610", code_system: "HCPCS", disposition: "conditional", description: null }
    expect(supported.matched_policies.map((one) => [one.policy_id, one.codes])).toEqual([
      [
        "A56000",
        [
          injection,
          { code: "M17.11", code_system: "ICD10CM", disposition: "conditional", description: arthritis }
        ]
      ],
      ["L35000", [injection]]
    ])
    expect(supported.documentation_requirements).toContain("Keep the procedure note with the joint and side.")
    const other = await validate({ ...knee, diagnosis_codes: ["E11.65"] })
    expect(other).toMatchObject({ coverage_status: "not_covered", denial_risk: "high" })
  })

  it("an NCCI pair that no modifier opens is a high risk, in either order", async () => {
    for (const codes of [
      ["20610", "76942"],
      ["76942", "20610"]
    ]) {
      const claim = await validate({ ...knee, procedure_codes: codes, modifiers: ["59"] })
      expect(claim).toMatchObject({ overall_risk: "high", denial_risk: "high", procedure_codes: codes })
      expect(claim.codes.map((line) => [line.code, line.denial_risk])).toEqual([
        ["20610", "medium"],
        ["76942", "high"]
      ])
      expect(claim.issues.join()).toContain("ncci_pair: 76942 is not paid beside 20610")
    }
  })

  it("units above the unlikely edit are a high risk", async () => {
    const claim = await validate({ ...knee, units: { "20610": 3 } })
    expect(claim).toMatchObject({ overall_risk: "high", units: { "20610": 3 } })
    expect(claim.issues.join()).toContain("units_above_mue")
  })

  it("needed prior authorization is a high risk; a code that has ended is an issue", async () => {
    const bed = await validate({ procedure_codes: ["E0193"], date_of_service: "2026-01-15" })
    expect(bed).toMatchObject({ prior_auth_required: true, overall_risk: "high" })
    const ended = await validate({ procedure_codes: ["K0002"], date_of_service: "2026-01-15" })
    expect(ended).toMatchObject({ coverage_status: "unknown", overall_risk: "medium" })
    expect(ended.issues.join()).toContain("code_terminated")
  })

  it("an unknown payer is a known gap and no refusal; closed to unknown members", async () => {
    expect(await validate({ ...knee, payer: "nobody" })).toMatchObject({
      coverage_status: "unknown",
      prior_auth_required: null,
      known_gaps: ["code_not_found", "icd10cm_edition", "payer", "prior_authorization"],
      mac: null
    })
    expect(await served.refusal("/claims/validate", { ...knee, clinic: "north" })).toBe("VALIDATION_ERROR")
  })

  it("the older twin answers the same", async () => {
    const twin = await served.data("/claim-validation", knee, ClaimView)
    expect(twin).toEqual(await validate(knee))
  })
})
