import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { evaluate as evaluateFacts } from "../../core/coverage/decide/evaluate.ts"
import type { EvaluateFacts, EvaluateInputs } from "../../core/coverage/decide/evaluate.ts"
import { policyStatuses } from "../../core/coverage/Policy.ts"
import type { PolicyStatus, PolicyVersion } from "../../core/coverage/Policy.ts"
import { day, everyDay, recordOf } from "../kit/library.ts"
import { block, facts, group, queries, queryOf, versionOf } from "./decideSituations.ts"

const noTables = { ncdCodes: [], codes: [], codeTables: [], day: day("2026-02-01") }

const evaluate = (
  policy: PolicyVersion,
  standing: PolicyStatus,
  inputs: EvaluateInputs,
  related: ReadonlyArray<PolicyVersion> = [],
  above: Partial<EvaluateFacts> = {}
) => evaluateFacts({ ...noTables, policy, standing, related, ...above }, inputs)

const asked = (given: Partial<EvaluateInputs> = {}): EvaluateInputs => ({
  ...queryOf(),
  procedureCode: "E0601",
  ...given
})
const device = group("procedure", ["E0601"])
const adult = block({ op: "age", min: 18 }, { blockId: "age" })
const home = block({ op: "site", any_of: ["home"] }, { blockId: "site" })
const text = block(null, { blockId: "text", section: "limitations" })
const policy = versionOf({ policyId: "L33718", codeGroups: [device], criteria: [adult, home, text] })

describe("contract §2, POST /coverage/evaluate: one policy by itself", () => {
  it("sorts its conditions into those that hold, that do not, and that wait", () => {
    expect(evaluate(policy, "active", asked({ ageCategory: "pediatric" }))).toMatchObject({
      status: "not_covered",
      confidence: 0.9,
      matched: [],
      unmatched: ["age"],
      skipped: ["site"],
      blocksEvaluated: 1,
      blocksWithoutAst: 1
    })
  })

  it("says what was not given", () => {
    const found = evaluate(policy, "active", asked({ ageCategory: "adult" }))
    expect(found).toMatchObject({
      status: "conditional",
      matched: ["age"],
      skipped: ["site"],
      confidence: 0.3
    })
    expect(found.reasons.at(-1)).toBe("Missing: site_of_service.")
  })

  it("is covered where every condition holds and nothing is left to read", () => {
    const ruled = { ...policy, criteria: [adult, home] }
    const found = evaluate(ruled, "active", asked({ ageCategory: "adult", siteOfService: "12" }))
    expect(found).toMatchObject({
      status: "covered",
      confidence: 0.9,
      blocksEvaluated: 2,
      blocksWithoutAst: 0
    })
  })

  it.each(["retired", "future", "proposed"] as const)("a policy that is %s decides nothing", (standing) => {
    const found = evaluate(policy, standing, asked({ ageCategory: "pediatric" }))
    expect(found).toMatchObject({ status: "unknown", confidence: 0 })
    expect(found.reasons).toEqual([`The policy is ${standing} and decides nothing today.`])
  })

  it("a procedure that the policy does not list is unknown to it", () => {
    expect(evaluate(policy, "active", asked({ procedureCode: "K0001" })).status).toBe("unknown")
  })

  it("its only procedure need not be named; one of several must be", () => {
    const article = group("dx_covered", ["G4733"])
    const one = versionOf({ policyId: "A1", codeGroups: [device, article] })
    const several = versionOf({
      policyId: "A1",
      codeGroups: [group("procedure", ["E0601", "K0001"]), article]
    })
    const unnamed = asked({ procedureCode: null, diagnosisCodes: ["G4733"] })
    expect(evaluate(one, "active", unnamed).status).toBe("covered")
    const open = evaluate(several, "active", unnamed)
    expect([open.status, open.confidence]).toEqual(["conditional", 0.3])
    expect(open.reasons).toContain("Missing: procedure_code.")
    expect(evaluate(several, "active", asked({ diagnosisCodes: ["G4733"] })).status).toBe("covered")
    expect(evaluate(several, "active", { ...unnamed, diagnosisCodes: ["I10"] }).status).toBe("conditional")
  })

  const text1 = block(null, { text: "This procedure is covered under Medicare." })
  const levels = [
    [1, "covered", "conditional"],
    [2, "conditional", "conditional"],
    [3, "not_covered", "conditional"],
    [4, "unknown", "unknown"]
  ] as const
  it.each(levels)(
    "an NCD of level %i that asks for nothing is %s, and of a procedure it does not list %s",
    (level, alone, named) => {
      const ncd = versionOf({ policyId: "NCD 100.7", coverageLevel: level, criteria: [text1] })
      expect(evaluate(ncd, "active", asked({ procedureCode: null })).status).toBe(alone)
      expect(evaluate(ncd, "active", asked({ procedureCode: "E0601" })).status).toBe(named)
      const listing = { ...ncd, codeGroups: [device] }
      expect(evaluate(listing, "active", asked()).status).toBe(alone)
    }
  )

  it("L1: an NCD of level 1 whose text sets a condition, or is not known, is conditional", () => {
    const ncd = versionOf({ policyId: "NCD 100.7", coverageLevel: 1 })
    expect(evaluate(ncd, "active", asked({ procedureCode: null })).status).toBe("conditional")
    const said = "It is covered when reasonable and necessary for the individual patient."
    const found = evaluate({ ...ncd, criteria: [block(null, { text: said })] }, "active", {
      ...asked(),
      procedureCode: null
    })
    expect(found).toMatchObject({ status: "conditional", conditions: [{ text: said, kind: "narrative" }] })
    const attested = found.conditions.map((one) => one.conditionId)
    const again = evaluate({ ...ncd, criteria: [block(null, { text: said })] }, "active", {
      ...asked({ attestedConditions: attested }),
      procedureCode: null
    })
    expect(again).toMatchObject({ status: "covered", confidence: 0.6, conditions: [] })
  })

  it("rule 3: a local document that names no contractor decides nothing, and says so", () => {
    const found = evaluate({ ...policy, contractors: [] }, "active", asked({ ageCategory: "pediatric" }))
    expect(found).toMatchObject({ status: "unknown", confidence: 0 })
    expect(found.reasons).toContain("Missing: contractor.")
  })

  it("L1: the conditions of an article's LCD count, and so does its absence", () => {
    const article = versionOf({
      policyId: "A50001",
      codeGroups: [device, group("dx_covered", ["G4733"])],
      related: [{ policyId: policy.policy.policyId, policyType: "LCD" }]
    })
    const inputs = asked({ diagnosisCodes: ["G4733"] })
    const lcd = { ...policy, codeGroups: [], criteria: [text] }
    const whole = evaluate(article, "active", inputs, [lcd])
    expect(whole).toMatchObject({ status: "conditional", support: "supported" })
    expect(whole.conditions.map((one) => one.policyId)).toEqual(["L33718"])
    expect(evaluate(article, "active", inputs).reasons).toContain("Missing: related_policy.")
    expect(evaluate(article, "active", inputs, [{ ...lcd, criteria: [] }]).status).toBe("covered")
  })

  it("rule 1: a list of exceptions affirms no diagnosis that the table of the day does not hold", () => {
    const paragraph = "All ICD-10-CM codes are covered except the following:"
    const article = versionOf({
      policyId: "A50001",
      codeGroups: [device, group("dx_covered", ["Z0000"], { paragraph })]
    })
    const tables = { codes: [recordOf({ code: "I10", codeSystem: "ICD10CM" })], codeTables: everyDay }
    const of = (code: string) => evaluate(article, "active", asked({ diagnosisCodes: [code] }), [], tables)
    expect(of("I10").status).toBe("covered")
    expect(of("I11").status).toBe("conditional")
  })

  it("every condition is in exactly one list, and nothing is sure that is unknown", () => {
    fc.assert(
      fc.property(facts, queries, fc.constantFrom(...policyStatuses), (found, query, standing) => {
        for (const one of found.policies) {
          const said = evaluate(one, standing, { ...query, procedureCode: query.procedureCodes[0] ?? null })
          const lists = [...said.matched, ...said.unmatched, ...said.skipped]
          expect(lists.toSorted()).toEqual(
            one.criteria.flatMap(({ blockId, logicAst }) => (logicAst === null ? [] : [blockId])).toSorted()
          )
          expect(said.blocksWithoutAst + lists.length).toBe(one.criteria.length)
          expect(said.confidence === 0).toBe(said.status === "unknown")
          if (said.unmatched.length > 0 && said.status !== "unknown") expect(said.status).not.toBe("covered")
          if (standing !== "active" && standing !== "unknown") expect(said.status).toBe("unknown")
        }
      })
    )
  })
})
