import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Evaluation } from "../../core/operation/evaluations.ts"
import { serveLibrary, stores } from "./serveLibrary.ts"

describe.each(stores)("POST /coverage/evaluate (contract §2), over %s", (_, ports) => {
  let served: Awaited<ReturnType<typeof serveLibrary>>
  beforeAll(async () => {
    served = await serveLibrary(ports())
  })
  afterAll(() => served.close())
  const evaluate = (policyId: string, parameters: object = {}) =>
    served.data("/coverage/evaluate", { policy_id: policyId, parameters }, Evaluation)

  it("an article answers by its diagnoses, in any writing of ids and codes", async () => {
    const data = await evaluate("article a56000", {
      procedure_code: " 20610",
      diagnosis_codes: ["m17.11", "M1711"]
    })
    expect(data).toMatchObject({
      covered: false,
      coverage_status: "conditional",
      diagnosis_support: "supported",
      confidence: 0.6
    })
    expect(data.policy).toMatchObject({ policy_id: "A56000", policy_type: "Article" })
    expect(data.trace.map((step) => step.rule)).toEqual(
      expect.arrayContaining(["policy.listed", "article.dx_covered", "criteria.open"])
    )
    const attested_conditions = data.conditions.map((one) => one.condition_id)
    const parameters = { procedure_code: "20610", diagnosis_codes: ["M17.11"], attested_conditions }
    expect(await evaluate("A56000", parameters)).toMatchObject({
      covered: true,
      confidence: 0.6,
      conditions: []
    })
  })

  it("a diagnosis that does not support it is refused, with the reason", async () => {
    const data = await evaluate("A56000", { procedure_code: "20610", diagnosis_codes: ["E11.65"] })
    expect(data).toMatchObject({ covered: false, coverage_status: "not_covered" })
    expect(data.reasons[0]).toMatch(/^dx_not_supporting_medical_necessity: /)
  })

  it("narrative alone is conditional: nothing was judged, every passage waits for a person", async () => {
    expect(await evaluate("L35000", { procedure_code: "20610" })).toMatchObject({
      covered: false,
      coverage_status: "conditional",
      confidence: 0.3,
      matched_criteria: [],
      unmatched_criteria: [],
      skipped_criteria: [],
      blocks_evaluated: 0,
      blocks_without_ast: 3
    })
  })

  it("rule 4: the HCPCS table and national determinations stand above a local policy", async () => {
    const of = (procedure_code: string) => evaluate("L33694", { procedure_code })
    expect(await of("A4649")).toMatchObject({ covered: true, confidence: 0.9 })
    const rejected = await of("a9281")
    expect(rejected).toMatchObject({ covered: false, coverage_status: "not_covered", confidence: 0.9 })
    expect(rejected.reasons[0]).toMatch(/^excluded_by_statute: /)
    const unread = await of("M0076")
    expect(unread).toMatchObject({ covered: false, coverage_status: "conditional" })
    expect(unread.reasons).toContain("Missing: related_policy.")
    expect(unread.trace.map((step) => step.rule)).toContain("ncd.absent")
    const bath = await evaluate("NCD 280.9", { procedure_code: "A4649" })
    expect(bath).toMatchObject({ covered: false, coverage_status: "conditional" })
    expect(bath.trace.map((step) => step.rule)).toContain("ncd.unlinked")
  })

  it("a policy that is not in force today decides nothing", async () => {
    expect(await evaluate("220.6", {})).toMatchObject({ coverage_status: "unknown", confidence: 0 })
  })

  it("an unknown policy is RESOURCE_POLICY_NOT_FOUND, an unknown parameter VALIDATION_ERROR", async () => {
    const refusal = (body: object) => served.refusal("/coverage/evaluate", body)
    expect(await refusal({ policy_id: "L99999", parameters: {} })).toBe("RESOURCE_POLICY_NOT_FOUND")
    expect(await refusal({ policy_id: "L35000", parameters: { state: "TX" } })).toBe("VALIDATION_ERROR")
    expect(await refusal({ policy_id: "L35000" })).toBe("VALIDATION_REQUIRED_FIELD")
  })
})
