import { describe, expect, it } from "vitest"
import { summarize } from "../../core/coverage/summary.ts"
import type { SummaryInput } from "../../core/coverage/summary.ts"
import { conditionOf } from "../../core/coverage/decide/condition.ts"
import { versionOf } from "./decideSituations.ts"

const policy = versionOf({ policyId: "NCD 220.4" })
const condition = (text: string, kind: "narrative" | "exclusion" = "narrative") =>
  conditionOf(policy, { text, section: "indications (indications-1)", kind })

const answer = (given: Partial<SummaryInput>): string =>
  summarize({ status: "covered", conditions: [], knownGaps: [], issues: 0, codes: [], ...given })

const code = (given: Partial<SummaryInput["codes"][number]> = {}) => ({
  code: "77067",
  status: "covered" as const,
  reasons: ["G47.33 supports the procedure (group 1)."],
  decidedBy: ["A10001"],
  ...given
})

describe("coverage-domain §2.1, rule 14: a summary for a biller", () => {
  it("gives verdict, policy and reason of a covered code, and nothing to do", () => {
    expect(answer({ codes: [code()] })).toBe("Covered under A10001: G47.33 supports the procedure (group 1).")
  })

  it("quotes the first condition and counts what to confirm", () => {
    const conditions = [
      condition("A screening mammogram is covered once every 11 months from age 40."),
      condition("The order must be signed."),
      condition("Screening of men is not covered.", "exclusion")
    ]
    const codes = [code({ status: "conditional" })]
    expect(answer({ status: "conditional", conditions, codes, priorAuthRequired: false })).toBe(
      "Conditional under NCD 220.4: A screening mammogram is covered once every 11 months from age 40. " +
        "Confirm the 2 conditions listed and confirm that the exclusion listed does not apply."
    )
  })

  it("names the code among several that leads the answer, and the reason of a denial", () => {
    const codes = [
      code({ code: "E0601" }),
      code({
        code: "99213",
        status: "not_covered",
        reasons: ["dx_not_supporting_medical_necessity: no diagnosis given is listed (group 1)."],
        decidedBy: ["L10001"]
      })
    ]
    const said = "Not covered for 99213 under L10001: no diagnosis given is listed (group 1). "
    expect(answer({ status: "not_covered", codes, issues: 2, priorAuthRequired: null })).toBe(
      `${said}Resolve the 2 issues listed.`
    )
    expect(answer({ status: "not_covered", codes: codes.toReversed(), issues: 2 })).toContain(said)
  })

  it("names the inputs to send, the authorization to request and the gaps to review", () => {
    const knownGaps = ["diagnosis_codes", "related_policy", "state"]
    const codes = [code({ status: "conditional" })]
    expect(answer({ status: "conditional", codes, knownGaps, priorAuthRequired: true })).toBe(
      "Conditional under A10001. Send " +
        "`diagnosis_codes` and `state`, request prior authorization, and have a person review what is " +
        "missing (related_policy)."
    )
    expect(answer({ codes: [code()], priorAuthRequired: null })).toMatch(
      /Ask the payer whether prior authorization is required\.$/
    )
  })

  it("asks for the other codes of a claim where a list names the code beside them", () => {
    const knownGaps = ["prior_authorization", "procedure_codes"]
    expect(answer({ codes: [code()], knownGaps, priorAuthRequired: null })).toMatch(
      / Send `procedure_codes` and ask the payer whether prior authorization is required\.$/
    )
  })

  it("skips a description of the service before the sentence about coverage", () => {
    const conditions = [condition("A monitor is a meter. It reads strips.\nIt is covered for diabetes.")]
    const said = answer({ status: "conditional", conditions, codes: [code({ status: "conditional" })] })
    expect(said).toBe(
      "Conditional under NCD 220.4: It is covered for diabetes. Confirm the condition listed."
    )
  })

  it("quotes what the service needs before what the record must contain", () => {
    const documented = conditionOf(policy, {
      text: "The order must be signed.",
      section: "documentation",
      kind: "documentation"
    })
    const conditions = [documented, condition("It is covered for diabetes.")]
    const said = answer({ status: "conditional", conditions, codes: [code({ status: "conditional" })] })
    expect(said).toMatch(/^Conditional under NCD 220\.4: It is covered for diabetes\./)
  })

  it("cuts a long reason after a whole word", () => {
    const conditions = [condition(`It is covered when ${"a word ".repeat(60)}ends.`)]
    const said = answer({ status: "conditional", conditions, codes: [code({ status: "conditional" })] })
    expect(said).toMatch(/ (?:a|word)… Confirm the condition listed\.$/)
    expect(said.length).toBeLessThan(300)
  })
})
