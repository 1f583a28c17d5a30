import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CodeGroup, Disposition, PolicyDocument, PolicyVersion } from "../../core/coverage/Policy.ts"
import { canonicalDocument, changeBetween, codesOf } from "../../core/coverage/revise.ts"
import type { PolicyChange } from "../../core/coverage/revise.ts"
import { policyCodes, procedureListing } from "../../core/coverage/view.ts"
import { day, diagnoses, documentOf, importedAt, passage, procedure, ruleOf } from "../kit/library.ts"
import { anyDocument } from "../kit/libraryArbitraries.ts"

const versionOf = (document: PolicyDocument, version = 1): PolicyVersion => ({
  ...document,
  version,
  fingerprintSha256: canonicalDocument(document),
  recordedAt: importedAt
})

const base = documentOf({
  policyId: "payer/7",
  codeGroups: [procedure("E0601", "E0470"), diagnoses("G4733")],
  criteria: [passage("b1", "Sleep apnea.")],
  priorAuth: [ruleOf({ codes: ["E0601"], states: ["TX", "CA"] })]
})

/** What the change from the base to it with these members is; null: none. */
const change = (to: Partial<PolicyDocument>): PolicyChange | null =>
  changeBetween(versionOf(base), versionOf({ ...base, ...to }, 2))

/** The base with its procedure group stating this. */
const stating = (given: Partial<CodeGroup>): Partial<PolicyDocument> => ({
  codeGroups: base.codeGroups.map((group) => (group.kind === "procedure" ? { ...group, ...given } : group))
})

/** What the codes of a policy are after a change that is told of them. */
const applied = (codes: ReadonlySet<string>, told: PolicyChange | null): ReadonlySet<string> =>
  told === null
    ? codes
    : new Set([...codes, ...told.addedCodes].filter((code) => !told.removedCodes.includes(code)))

describe("a change between versions (coverage-domain §5)", () => {
  it("of a version to itself is none", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(changeBetween(versionOf(document), versionOf(document, 2))).toBeNull()
      })
    )
  })

  it("applied to the codes before gives the codes after: apply(diff(a, b), a) = b", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const told = changeBetween(versionOf(before), versionOf(after, 2))
        expect(new Set(applied(codesOf(before), told))).toEqual(new Set(codesOf(after)))
      })
    )
  })

  it("is none between equal texts only if nothing that decides differs", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const isNone = changeBetween(versionOf(before), versionOf(after, 2)) === null
        if (canonicalDocument(before) === canonicalDocument(after)) expect(isNone).toBe(true)
        if (isNone) expect(policyCodes(after)).toEqual(policyCodes(before))
      })
    )
  })
})

describe("what a source states outright (coverage-domain §2) counts in a change", () => {
  it("in the scope, role and disposition of a group as codes", () => {
    const stated: ReadonlyArray<Partial<CodeGroup>> = [
      { scope: "all" },
      { scope: [] },
      { scope: ["E0601"] },
      { role: "primary" },
      { disposition: "covered" }
    ]
    for (const given of stated) {
      expect(change(stating(given))).toMatchObject({ changeType: "codes_changed", changedFields: ["codes"] })
    }
    const [one, other] = [stating({ scope: ["E0470", "E0601"] }), stating({ scope: ["E0601", "E0470"] })]
    expect(changeBetween(versionOf({ ...base, ...one }), versionOf({ ...base, ...other }, 2))).toBeNull()
  })

  it("in the logic of a passage as criteria", () => {
    const logicAst = { op: "age", min: 18 } as const
    expect(change({ criteria: [{ ...passage("b1", "Sleep apnea."), logicAst }] })).toMatchObject({
      changeType: "criteria_changed",
      changedFields: ["criteria"],
      modifiedCriteria: ["b1"]
    })
  })

  it("in a rule of prior authorization as criteria, and as codes when it gains or loses some", () => {
    const rule = ruleOf({ codes: ["E0601"], states: ["TX", "CA"] })
    const changed = { changedFields: ["prior_auth"], addedCodes: [], removedCodes: [] }
    for (const other of [
      { ...rule, endDate: day("2026-12-31") },
      { ...rule, states: "all" as const },
      { ...rule, suspended: [{ from: day("2026-01-01"), until: null }] },
      { ...rule, documentation: ["A sleep study"] }
    ]) {
      expect(change({ priorAuth: [other] })).toMatchObject({ changeType: "criteria_changed", ...changed })
    }
    expect(change({ priorAuth: [] })).toMatchObject({ changeType: "criteria_changed", ...changed })
    expect(change({ priorAuth: [{ ...rule, codes: ["E0601", "K0001"] }] })).toMatchObject({
      changeType: "codes_changed",
      changedFields: ["prior_auth"],
      addedCodes: ["K0001"]
    })
    expect(change({ priorAuth: [{ ...rule, states: ["CA", "TX"] }] })).toBeNull()
  })

  it("in the fingerprint, which stays what it was where nothing is stated", () => {
    const { priorAuth: _, ...unstated } = base
    const before = canonicalDocument(unstated)
    expect(canonicalDocument({ ...unstated, priorAuth: [] })).toBe(before)
    for (const name of ["priorAuth", "scope", "role", "disposition"])
      expect(before).not.toContain(`"${name}"`)
    const logicAst = { op: "sex", any_of: ["female"] } as const
    const others: ReadonlyArray<PolicyDocument> = [
      base,
      { ...unstated, ...stating({ role: "any" }) },
      { ...unstated, criteria: [{ ...passage("b1", "Sleep apnea."), logicAst }] }
    ]
    expect(new Set([before, ...others.map(canonicalDocument)]).size).toBe(4)
  })
})

describe("what the wire shows of a stated document (contract §2, GET /policies)", () => {
  const shown = (document: Partial<PolicyDocument>) =>
    Object.fromEntries(
      policyCodes(documentOf({ policyId: "payer/7", ...document })).map((code) => [
        code.code,
        code.disposition
      ])
    )
  const group = (number: number, code: string, disposition?: Disposition): CodeGroup => ({
    ...procedure(code),
    group: number,
    ...(disposition === undefined ? {} : { disposition })
  })

  it("is a procedure's stated disposition, of several the most restrictive, in any order", () => {
    const order = ["not_covered", "requires_pa", "conditional", "covered"] as const
    fc.assert(
      fc.property(fc.shuffledSubarray([...order], { minLength: 1 }), (stated) => {
        const codeGroups = [group(0, "E0601"), ...stated.map((one, index) => group(index + 1, "E0601", one))]
        expect(shown({ codeGroups })).toEqual({ E0601: order.find((one) => stated.includes(one)) })
        expect(shown({ codeGroups: codeGroups.toReversed() })).toEqual(shown({ codeGroups }))
      })
    )
  })

  it("asks for prior authorization where a rule names the code and nothing refuses it", () => {
    const priorAuth = [ruleOf({ codes: ["E0601", "E0470", "E0471", "K0001"] })]
    const codeGroups = [group(1, "E0601"), group(2, "E0470", "not_covered"), group(3, "E0471", "covered")]
    expect(shown({ codeGroups, priorAuth })).toEqual({
      E0470: "not_covered",
      E0471: "requires_pa",
      E0601: "requires_pa",
      K0001: "requires_pa"
    })
  })

  it("is the same for one procedure as among all of them", () => {
    fc.assert(
      fc.property(anyDocument, fc.constantFrom("E0601", "L8000", "E1165", "NONE"), (document, code) => {
        const all = policyCodes(document).filter(({ codeSystem }) => codeSystem === "HCPCS")
        expect(procedureListing(document, code)).toEqual(all.find((one) => one.code === code))
      })
    )
  })
})
