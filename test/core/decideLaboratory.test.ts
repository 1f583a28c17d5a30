import { describe, expect, it } from "vitest"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { decide } from "../../core/coverage/decide/decide.ts"
import { evaluate } from "../../core/coverage/decide/evaluate.ts"
import { coverageQueryOf, factsOf, versionOf } from "../kit/coverageQueryOf.ts"
import { diagnoses, id, ncdCodeOf, passage, procedure } from "../kit/library.ts"

const code = "80061"
const lipids = (given: Partial<PolicyVersion>) =>
  versionOf({
    policyId: "NCD 190.23",
    coverageLevel: 2,
    criteria: [passage("i1", "Lipid testing is covered when a listed diagnosis is present.")],
    ...given
  })
const rows = [ncdCodeOf({ policyId: id("NCD 190.23"), code })]
const decided = (ncd: PolicyVersion, attestedConditions: ReadonlyArray<string> = []) =>
  decide(
    { ...factsOf(ncd), ncdCodes: rows },
    coverageQueryOf({ procedureCodes: [code], diagnosisCodes: ["E785"], attestedConditions })
  )
const attestedAll = (ncd: PolicyVersion) =>
  decided(
    ncd,
    decided(ncd).conditions.map((one) => one.conditionId)
  )

describe("coverage-domain §2.1 rule 4, a laboratory NCD", () => {
  it("names its list of diagnoses as a gap where the list is not loaded", () => {
    const found = decided(lipids({ laboratory: true }))
    expect(found).toMatchObject({ status: "conditional", diagnosisSupport: "unknown" })
    expect(found.knownGaps).toContain("diagnosis_list")
    expect(found.codes[0]?.reasons).toContain(
      "The determination is about a laboratory service, and its list of diagnoses is not loaded."
    )
  })

  it("stays conditional on the gap when every condition is attested", () => {
    expect(attestedAll(lipids({ laboratory: false }))).toMatchObject({ status: "covered", knownGaps: [] })
    const found = attestedAll(lipids({ laboratory: true }))
    expect(found).toMatchObject({ status: "conditional", conditions: [], knownGaps: ["diagnosis_list"] })
    expect(found.codes[0]).toMatchObject({ confidence: "low", requiresManualReview: true })
  })

  it("has no such gap where its list is loaded, and where it denies", () => {
    const listed = lipids({ laboratory: true, codeGroups: [procedure(code), diagnoses("E785")] })
    expect(decided(listed).knownGaps).not.toContain("diagnosis_list")
    const denying = lipids({ laboratory: true, coverageLevel: 3, codeGroups: [procedure(code)] })
    expect(decided(denying)).toMatchObject({ status: "not_covered" })
    expect(decided(denying).knownGaps).not.toContain("diagnosis_list")
  })

  it("is assumed by the section where the version does not state the flag", () => {
    const { laboratory: _, ...unstated } = lipids({})
    expect(attestedAll(unstated).knownGaps).toEqual(["diagnosis_list"])
    const elsewhere = versionOf({ policyId: "NCD 20.4", coverageLevel: 2, criteria: unstated.criteria })
    const asked = { ...factsOf(elsewhere), ncdCodes: [ncdCodeOf({ policyId: id("NCD 20.4"), code })] }
    expect(decide(asked, coverageQueryOf({ procedureCodes: [code] })).knownGaps).not.toContain(
      "diagnosis_list"
    )
  })

  it("has the gap when it is evaluated by itself", () => {
    const policy = lipids({ laboratory: true })
    const { dateOfService: day } = coverageQueryOf()
    const facts = {
      policy,
      standing: "active",
      related: [],
      day,
      codes: [],
      codeTables: [],
      ncdCodes: []
    } as const
    const found = evaluate(facts, {
      ...coverageQueryOf({ diagnosisCodes: ["E785"] }),
      procedureCode: null,
      attestedConditions: []
    })
    expect(found.status).toBe("conditional")
    expect(found.reasons.at(-1)).toContain("diagnosis_list")
  })
})
