import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decide } from "../../core/coverage/decide/decide.ts"
import { evaluate as evaluateFacts } from "../../core/coverage/decide/evaluate.ts"
import type { EvaluateFacts, EvaluateInputs } from "../../core/coverage/decide/evaluate.ts"
import type { NcdCode } from "../../core/coverage/NcdCode.ts"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { day, everyDay, id, recordOf } from "../kit/library.ts"
import { acme, block, facts, factsOf, group, queries, queryOf, versionOf } from "./decideSituations.ts"

const noTables = { ncdCodes: [], codes: [], codeTables: [], day: day("2026-02-01") }

/** Of a policy in force. */
const evaluate = (
  policy: PolicyVersion,
  inputs: EvaluateInputs,
  related: ReadonlyArray<PolicyVersion> = [],
  above: Partial<EvaluateFacts> = {}
) => evaluateFacts({ ...noTables, policy, standing: "active", related, ...above }, inputs)

const asked = (given: Partial<EvaluateInputs> = {}): EvaluateInputs => ({
  ...queryOf(),
  procedureCode: "E0601",
  ...given
})
const device = group("procedure", ["E0601"])

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
    expect(evaluate(lcd, asked()).status).toBe("covered")
    expect(evaluate(lcd, asked(), [], columned("C")).status).toBe("covered")
  })

  it.each([
    ["S", "excluded_by_statute"],
    ["M", "non_covered_by_medicare"],
    ["I", "not_payable_by_medicare"]
  ])("a code of the HCPCS coverage column %s is not covered, and the reason says why", (letter, name) => {
    const found = evaluate(lcd, asked(), [], columned(letter))
    expect(found).toMatchObject({ status: "not_covered", confidence: 0.9, conditions: [] })
    expect(found.reasons[0]).toContain(name)
    expect(found.trace.map((step) => step.rule)).toContain("hcpcs.coverage_code")
    const unasked = evaluate(lcd, asked({ procedureCode: null }), [], columned(letter))
    expect(unasked.status).toBe("not_covered")
  })

  it("the column denies also what the policy does not list, and not beyond its edition", () => {
    const other = { ...lcd, codeGroups: [group("procedure", ["K0001"])] }
    expect(evaluate(other, asked(), [], columned("S")).status).toBe("not_covered")
    expect(evaluate(lcd, asked(), [], { ...columned("S"), codeTables: [] }).status).toBe("covered")
  })

  it("the column speaks for Medicare alone: a payer's own policy decides for the payer", () => {
    const own = versionOf({
      policyId: "acme-1",
      payerCode: "acme",
      codeGroups: [device],
      criteria: [affirms]
    })
    const found = { ...factsOf(own), ...columned("S") }
    const payers = queryOf({ scope: { _tag: "Payer", payer: acme, lineOfBusiness: null }, place: null })
    expect(decide(found, payers).codes.map(({ status }) => status)).toEqual(["conditional"])
    const advantage = queryOf({ scope: { _tag: "MedicareAdvantage", payer: acme } })
    expect(decide(found, advantage).codes.map(({ status }) => status)).toEqual(["not_covered"])
  })

  it("a determination of level 3 whose row denies the code refuses it", () => {
    const found = evaluate(lcd, asked(), [ncd(3)], { ncdCodes: [row("denies")] })
    expect(found).toMatchObject({ status: "not_covered", confidence: 0.9 })
    expect(found.trace.map((step) => step.rule)).toContain("ncd.denies")
    expect(found.reasons).toContain("The national determination does not cover it (level 3).")
  })

  it("a determination that names the code keeps coverage at conditional, with the conditions of both", () => {
    const found = evaluate({ ...lcd, criteria: [when] }, asked(), [ncd(2, when)], {
      ncdCodes: [row("names")]
    })
    expect(found.status).toBe("conditional")
    expect(found.conditions.map((one) => one.policyId)).toEqual(["L33718", "NCD 100.7"])
    expect(evaluate(lcd, asked(), [ncd(2)], { ncdCodes: [row("names")] }).status).toBe("conditional")
  })

  it("so does one to which the document relates", () => {
    const related = [{ policyId: id("NCD 100.7"), policyType: "NCD" as const }]
    const found = evaluate({ ...lcd, related }, asked(), [ncd(2, when)])
    expect(found.status).toBe("conditional")
    expect(found.trace.map((step) => step.rule)).toContain("ncd.related")
    expect(found.conditions.map((one) => one.policyId)).toEqual(["NCD 100.7"])
  })

  it("L2: a determination that is named and not at hand is a gap", () => {
    const found = evaluate(lcd, asked(), [], { ncdCodes: [row("names")] })
    expect(found).toMatchObject({ status: "conditional", confidence: 0.3 })
    expect(found.reasons).toContain("Missing: related_policy.")
    expect(found.trace.at(-1)).toMatchObject({
      rule: "ncd.absent",
      sourceUrl: "https://policies.example/row"
    })
    const related = [{ policyId: id("NCD 100.7"), policyType: "NCD" as const }]
    const pointing = evaluate({ ...lcd, related }, asked())
    expect(pointing.reasons).toContain("Missing: related_policy.")
  })

  it("a procedure that the policy does not list is not covered by another document", () => {
    const other = { ...lcd, codeGroups: [group("procedure", ["K0001"])] }
    const listing = { ...ncd(1), codeGroups: [device] }
    expect(evaluate(other, asked(), [listing])).toMatchObject({ status: "unknown", confidence: 0 })
  })

  it("a determination says that nothing leads to it from the procedure, and is conditional at most", () => {
    const found = evaluate(ncd(2, when), asked())
    expect(found.status).toBe("conditional")
    expect(found.reasons).toContain("Nothing at hand says that the determination is about the procedure.")
    expect(found.reasons).toContain("Missing: ncd_scope.")
    expect(found.trace.map((step) => step.rule)).not.toContain("ncd.related")
    const attestedConditions = found.conditions.map((one) => one.conditionId)
    expect(evaluate(ncd(2, when), asked({ attestedConditions })).status).toBe("conditional")
  })

  it("a determination is led to by a local document that lists the procedure and relates to it", () => {
    const related = [{ policyId: id("NCD 100.7"), policyType: "NCD" as const }]
    const found = evaluate(ncd(1), asked(), [{ ...lcd, related }])
    expect(found.status).toBe("conditional")
    expect(found.trace.map((step) => step.rule)).toContain("ncd.related")
  })

  it("a determination too stands below one that denies the procedure, and below the column", () => {
    const other = versionOf({ policyId: "NCD 20.1", coverageLevel: 1, criteria: [affirms] })
    const denied = { ncdCodes: [row("denies")] }
    for (const asking of [other, { ...other, codeGroups: [device] }]) {
      expect(evaluate(asking, asked(), [ncd(3)], denied).status).toBe("not_covered")
    }
    expect(evaluate(other, asked(), [], columned("S")).status).toBe("not_covered")
  })

  it("a payer's own policy stays as it is", () => {
    const own = versionOf({
      policyId: "acme-1",
      payerCode: "acme",
      codeGroups: [device],
      criteria: [affirms]
    })
    const above = { ...columned("S"), ncdCodes: [row("denies")] }
    expect(evaluate(own, asked(), [ncd(3)], above).status).toBe("covered")
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
