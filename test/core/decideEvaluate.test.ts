import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decide } from "../../core/coverage/decide/decide.ts"
import { evaluate as evaluateFacts } from "../../core/coverage/decide/evaluate.ts"
import type { EvaluateFacts, EvaluateInputs } from "../../core/coverage/decide/evaluate.ts"
import { policyStatuses } from "../../core/coverage/Policy.ts"
import type { PolicyStatus, PolicyVersion } from "../../core/coverage/Policy.ts"
import type { NcdCode } from "../../core/coverage/NcdCode.ts"
import { day, everyDay, id, recordOf } from "../kit/library.ts"
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

  it("rule 1: a list of exceptions does not affirm a diagnosis that the table of the day does not hold", () => {
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

describe("coverage-domain §2.1, rules 4 and 9: what stands above a policy of Medicare's", () => {
  const affirms = block(null, { text: "This procedure is covered under Medicare." })
  const lcd = versionOf({ policyId: "L33718", codeGroups: [device], criteria: [affirms] })
  const row = (role: NcdCode["role"], policyId = "NCD 100.7"): NcdCode => ({
    policyId: id(policyId),
    code: "E0601",
    role,
    source: "worked cases",
    sourceUrl: "https://policies.example/row"
  })
  const ncd = (coverageLevel: number, text = affirms) =>
    versionOf({ policyId: "NCD 100.7", coverageLevel, criteria: [text] })
  const when = block(null, {
    text: "It is covered when reasonable and necessary for the individual patient."
  })
  const columned = (coverageCode: string) => ({
    codes: [recordOf({ code: "E0601", coverageCode })],
    codeTables: everyDay
  })

  it("by itself the local document would be covered", () => {
    expect(evaluate(lcd, "active", asked()).status).toBe("covered")
    expect(evaluate(lcd, "active", asked(), [], columned("C")).status).toBe("covered")
  })

  it.each([
    ["S", "excluded_by_statute"],
    ["M", "non_covered_by_medicare"],
    ["I", "not_payable_by_medicare"]
  ])("a code of the HCPCS coverage column %s is not covered, and the reason says why", (letter, name) => {
    const found = evaluate(lcd, "active", asked(), [], columned(letter))
    expect(found).toMatchObject({ status: "not_covered", confidence: 0.9, conditions: [] })
    expect(found.reasons[0]).toContain(name)
    expect(found.trace.map((step) => step.rule)).toContain("hcpcs.coverage_code")
    const unasked = evaluate(lcd, "active", asked({ procedureCode: null }), [], columned(letter))
    expect(unasked.status).toBe("not_covered")
  })

  it("the column denies also what the policy does not list, and not beyond its edition", () => {
    const other = { ...lcd, codeGroups: [group("procedure", ["K0001"])] }
    expect(evaluate(other, "active", asked(), [], columned("S")).status).toBe("not_covered")
    expect(evaluate(lcd, "active", asked(), [], { ...columned("S"), codeTables: [] }).status).toBe("covered")
  })

  it("a determination of level 3 whose row denies the code refuses it", () => {
    const found = evaluate(lcd, "active", asked(), [ncd(3)], { ncdCodes: [row("denies")] })
    expect(found).toMatchObject({ status: "not_covered", confidence: 0.9 })
    expect(found.trace.map((step) => step.rule)).toContain("ncd.denies")
    expect(found.reasons).toContain("The national determination does not cover it (level 3).")
  })

  it("a determination that names the code keeps coverage at conditional, with the conditions of both", () => {
    const found = evaluate({ ...lcd, criteria: [when] }, "active", asked(), [ncd(2, when)], {
      ncdCodes: [row("names")]
    })
    expect(found.status).toBe("conditional")
    expect(found.conditions.map((one) => one.policyId)).toEqual(["L33718", "NCD 100.7"])
    expect(evaluate(lcd, "active", asked(), [ncd(2)], { ncdCodes: [row("names")] }).status).toBe(
      "conditional"
    )
  })

  it("so does one to which the document relates", () => {
    const related = [{ policyId: id("NCD 100.7"), policyType: "NCD" as const }]
    const found = evaluate({ ...lcd, related }, "active", asked(), [ncd(2, when)])
    expect(found.status).toBe("conditional")
    expect(found.trace.map((step) => step.rule)).toContain("ncd.related")
    expect(found.conditions.map((one) => one.policyId)).toEqual(["NCD 100.7"])
  })

  it("L2: a determination that is named and not at hand is a gap", () => {
    const found = evaluate(lcd, "active", asked(), [], { ncdCodes: [row("names")] })
    expect(found).toMatchObject({ status: "conditional", confidence: 0.3 })
    expect(found.reasons).toContain("Missing: related_policy.")
    expect(found.trace.at(-1)).toMatchObject({
      rule: "ncd.absent",
      sourceUrl: "https://policies.example/row"
    })
    const related = [{ policyId: id("NCD 100.7"), policyType: "NCD" as const }]
    const pointing = evaluate({ ...lcd, related }, "active", asked())
    expect(pointing.reasons).toContain("Missing: related_policy.")
  })

  it("a procedure that the policy does not list is not covered by another document", () => {
    const other = { ...lcd, codeGroups: [group("procedure", ["K0001"])] }
    const listing = { ...ncd(1), codeGroups: [device] }
    expect(evaluate(other, "active", asked(), [listing])).toMatchObject({ status: "unknown", confidence: 0 })
  })

  it("a determination says that nothing leads to it from the procedure, and is conditional at most", () => {
    const found = evaluate(ncd(2, when), "active", asked())
    expect(found.status).toBe("conditional")
    expect(found.reasons).toContain("Nothing at hand says that the determination is about the procedure.")
    expect(found.reasons).toContain("Missing: ncd_scope.")
    expect(found.trace.map((step) => step.rule)).not.toContain("ncd.related")
    const attestedConditions = found.conditions.map((one) => one.conditionId)
    expect(evaluate(ncd(2, when), "active", asked({ attestedConditions })).status).toBe("conditional")
  })

  it("a determination is led to by a local document that lists the procedure and relates to it", () => {
    const related = [{ policyId: id("NCD 100.7"), policyType: "NCD" as const }]
    const found = evaluate(ncd(1), "active", asked(), [{ ...lcd, related }])
    expect(found.status).toBe("conditional")
    expect(found.trace.map((step) => step.rule)).toContain("ncd.related")
  })

  it("a determination too stands below one that denies the procedure, and below the column", () => {
    const other = versionOf({ policyId: "NCD 20.1", coverageLevel: 1, criteria: [affirms] })
    const denied = { ncdCodes: [row("denies")] }
    for (const asking of [other, { ...other, codeGroups: [device] }]) {
      expect(evaluate(asking, "active", asked(), [ncd(3)], denied).status).toBe("not_covered")
    }
    expect(evaluate(other, "active", asked(), [], columned("S")).status).toBe("not_covered")
  })

  it("a payer's own policy stays as it is", () => {
    const own = versionOf({
      policyId: "acme-1",
      payerCode: "acme",
      codeGroups: [device],
      criteria: [affirms]
    })
    const above = { ...columned("S"), ncdCodes: [row("denies")] }
    expect(evaluate(own, "active", asked(), [ncd(3)], above).status).toBe("covered")
  })

  const rows = fc.subarray([
    row("denies", "NCD 10.1"),
    row("names", "NCD 10.1"),
    row("names", "NCD 10.2"),
    row("names", "NCD 10.3")
  ])

  it("it never says more of a policy than a claim is told with its documents alone", () => {
    fc.assert(
      fc.property(
        facts,
        queries,
        rows,
        fc.constantFrom(null, "S"),
        (found, query, ncdCodes, coverageCode) => {
          const codes = [recordOf({ code: "E0601", coverageCode }), ...found.codes.slice(1)]
          const inputs = { ...query, scope: medicares, place: inTexas, procedureCodes: ["E0601"] }
          const whole = found.policies.filter((one) => one.policy.payerCode === "medicare")
          for (const one of whole.filter(isTexan)) {
            const policies = whole.filter((each) => each === one || each.policy.policyType === "NCD")
            const above = { ncdCodes, codes, codeTables: found.codeTables }
            const said = evaluate(
              one,
              "active",
              { ...inputs, procedureCode: "E0601" },
              policies.filter((each) => each !== one),
              above
            )
            const told = decide({ ...found, ...above, policies }, inputs)
            if (said.status === "covered") expect(told.status).toBe("covered")
            if (told.status === "not_covered") expect(said.status).toBe("not_covered")
            if (said.status === "not_covered") expect(told.status).toBe("not_covered")
          }
        }
      ),
      { numRuns: 1000 }
    )
  })
  const medicares = { _tag: "Medicare" } as const
  const inTexas = { jurisdictions: [], states: ["TX"] }
  const isTexan = ({ contractors, policy: { policyType }, states }: PolicyVersion) =>
    policyType === "NCD" || (states.includes("TX") && contractors.length > 0)
})
