import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { MueEdit, PtpEdit } from "../../core/coverage/editTables.ts"
import { coverageStatuses, levels } from "../../core/coverage/CoverageDecision.ts"
import type { CodeDecision, CoverageQuery } from "../../core/coverage/CoverageDecision.ts"
import { decideClaim } from "../../core/coverage/claim/claim.ts"
import { checkPriorAuth } from "../../core/coverage/priorAuth/check.ts"
import type { ClaimQuestion } from "../../core/coverage/claim/claim.ts"
import { findPairs, ncciModifiers } from "../../core/coverage/claim/pairs.ts"
import {
  coverageQueryOf,
  decidedAll,
  decidedCode,
  factsOf,
  pairEdit,
  versionOf
} from "../kit/coverageQueryOf.ts"
import { listedFacts } from "../kit/shippedRules.ts"
import { day, passage, procedure, recordOf, unitOf } from "../kit/library.ts"

/** A claim of the codes as coverage decided them, checked against the edits. */
const checked = (
  codes: ReadonlyArray<CodeDecision>,
  given: Partial<Omit<ClaimQuestion, "query">> & { readonly query?: Partial<CoverageQuery> } = {}
) =>
  decideClaim({
    facts: listedFacts(),
    decision: decidedAll(codes),
    pairs: [],
    unitEdits: [],
    units: new Map(),
    ...given,
    query: coverageQueryOf({
      procedureCodes: codes.map((code) => code.code),
      siteOfService: "office",
      ...given.query
    })
  })

const covered = (code: string): CodeDecision => {
  const policies = [versionOf({ policyId: "L33831", codeGroups: [procedure(code)] })]
  return decidedCode(code, "covered", policies)
}
const joint = [covered("20610"), covered("76942")]
const pairs = (...edits: ReadonlyArray<Partial<PtpEdit>>) => ({ pairs: edits.map(pairEdit) })

describe("the NCCI pairs of a claim (coverage-domain §2.1, rule 12)", () => {
  it("indicator 0: column 2 is at high risk, whichever code comes first, and no modifier helps", () => {
    for (const codes of [joint, joint.toReversed()])
      for (const modifiers of [[], ["59"]]) {
        const claim = checked(codes, { ...pairs({}), query: { modifiers } })
        expect(claim.denialRisk).toBe("high")
        expect(claim.lines.map((line) => [line.code, line.denialRisk])).toEqual([
          ["20610", "medium"],
          ["76942", "high"]
        ])
        expect(claim.issues).toEqual([
          "ncci_pair: 76942 is not paid beside 20610 on the same day (NCCI), and no modifier changes that."
        ])
      }
  })

  it("an edit written the other way round is found as well", () => {
    const turned = pairs({ column1: "76942", column2: "20610" })
    expect(checked(joint, turned).lines.map((line) => line.denialRisk)).toEqual(["high", "medium"])
  })

  it("indicator 1: an NCCI modifier on the claim is said to be on a line unknown", () => {
    const edit = pairs({ modifierIndicator: 1 })
    const without = checked(joint, { ...edit, query: { modifiers: ["KX"] } })
    expect(without).toMatchObject({ denialRisk: "medium", requiresManualReview: false })
    expect(without.issues[0]).toContain("unless an NCCI modifier")
    const present = checked(joint, { ...edit, query: { modifiers: ["XS"] } })
    expect(present).toMatchObject({ denialRisk: "medium", requiresManualReview: true })
    expect(present.issues[0]).toContain("the modifier is the claim's, not the line's")
  })

  it("indicator 9 and a single code say nothing; the strictest of several edits counts", () => {
    expect(checked(joint, pairs({ modifierIndicator: 9 }))).toMatchObject({ denialRisk: "low", issues: [] })
    expect(checked([covered("20610")], pairs({})).issues).toEqual([])
    const both = pairs({ modifierIndicator: 1 }, { column1: "76942", column2: "20610", modifierIndicator: 0 })
    expect(checked(joint, both).issues).toHaveLength(1)
    expect(checked(joint, both).denialRisk).toBe("high")
  })

  it.each([
    ["2019-12-31", 0],
    ["2020-01-01", 1],
    ["2025-06-30", 1],
    ["2025-07-01", 0]
  ])("counts on %s: %i", (date, count) => {
    const edit = pairEdit({ deletionDate: day("2025-06-30") })
    const query = coverageQueryOf({ procedureCodes: ["20610", "76942"], dateOfService: day(date) })
    expect(findPairs(query, [edit])).toHaveLength(count)
  })

  it("the hospital's table counts at a hospital's outpatient department, and where no site is given", () => {
    const edit = pairs({ service: "outpatient_hospital" })
    const found = (siteOfService: string | null) =>
      checked(joint, { ...edit, query: { siteOfService } }).issues
    expect([found("office").length, found("outpatient_hospital").length, found(null).length]).toEqual([
      0, 1, 1
    ])
  })

  it("the NCCI modifiers are the 44 of CMS's three families", () => {
    expect(ncciModifiers.size).toBe(44)
    expect([ncciModifiers.has("TA"), ncciModifiers.has("XU"), ncciModifiers.has("KX")]).toEqual([
      true,
      true,
      false
    ])
  })
})

describe("the units of a claim (coverage-domain §2.1, rule 12)", () => {
  const unitEdits = [
    {
      code: "20610",
      service: "practitioner" as const,
      units: 2,
      adjudication: 3 as const,
      rationale: null,
      effectiveDate: day("2026-01-01")
    }
  ]

  it("units above the edit are an issue and a high risk", () => {
    const within = checked([covered("20610")], { unitEdits, units: new Map([["20610", 2]]) })
    const above = checked([covered("20610")], { unitEdits, units: new Map([["20610", 3]]) })
    expect([within.issues, within.denialRisk]).toEqual([[], "low"])
    expect([above.issues.length, above.denialRisk]).toEqual([1, "high"])
  })

  it("an edit judges from the day on which it begins", () => {
    const of = (dateOfService: string) =>
      checked([covered("20610")], {
        unitEdits,
        units: new Map([["20610", 3]]),
        query: { dateOfService: day(dateOfService) }
      }).trace.map((step) => step.rule)
    expect(of("2026-01-01")).toContain("mue.units")
    expect(of("2025-12-31")).not.toContain("mue.units")
  })

  const table = (service: "practitioner" | "outpatient_hospital" | "dme_supplier", units: number) =>
    unitOf({ code: "A4253", service, units })
  const over = (site: string | null, ...edits: ReadonlyArray<MueEdit>) =>
    checked([covered("A4253")], {
      query: { siteOfService: site },
      unitEdits: edits,
      units: new Map([["A4253", 2]])
    }).issues.length > 0

  it("the table follows the site; without one, the suppliers' table, else the largest value", () => {
    const [practitioner, hospital, supplier] = [
      table("practitioner", 0),
      table("outpatient_hospital", 1),
      table("dme_supplier", 3)
    ]
    expect(over(null, practitioner, hospital, supplier)).toBe(false)
    expect(over(null, practitioner, hospital)).toBe(true)
    expect(over("outpatient_hospital", practitioner, hospital, supplier)).toBe(true)
    expect(over("home", practitioner, hospital, supplier)).toBe(false)
    expect(over("office", practitioner), "a practitioner's 0 never judges equipment").toBe(false)
    expect(over(null, table("practitioner", 1), table("outpatient_hospital", 2))).toBe(false)
  })

  it("without units the trace names the edit; units of another code are said not to be looked at", () => {
    const claim = checked([covered("20610")], { unitEdits })
    expect(claim.trace.map((step) => step.rule)).toContain("mue.units")
    expect(checked([covered("20610")], { units: new Map([["99213", 1]]) }).issues).toHaveLength(1)
  })
})

describe("a claim's lines and the whole (coverage-domain §2.1, rule 12)", () => {
  it.each([
    ["covered", "low"],
    ["conditional", "medium"],
    ["unknown", "medium"],
    ["not_covered", "high"]
  ] as const)("%s is a %s risk", (status, risk) => {
    expect(checked([decidedCode("K0001", status)]).denialRisk).toBe(risk)
  })

  it("a diagnosis that is not known to support the procedure is a medium risk", () => {
    const unsure = { ...decidedCode("K0001", "conditional"), diagnosisSupport: "unknown" as const }
    expect(checked([unsure]).denialRisk).toBe("medium")
  })

  it("a missing prior authorization is a high risk, and an issue", () => {
    const claim = checked([decidedCode("E0193", "covered")])
    expect(claim).toMatchObject({ priorAuthRequired: true, denialRisk: "high" })
    expect(claim.issues[0]).toContain("E0193 needs prior authorization")
  })

  it("a named gap is no low risk, although the line is covered", () => {
    const unsure = { ...covered("K0001"), knownGaps: ["hcpcs_edition"] }
    expect(checked([unsure]).denialRisk).toBe("medium")
  })

  it("a modifier that announces a denial is a high risk and an issue, whatever the status", () => {
    for (const modifier of ["GX", "GY", "GZ"]) {
      const claim = checked([covered("K0001")], { query: { modifiers: [modifier] } })
      expect([claim.denialRisk, claim.lines[0]?.denialRisk]).toEqual(["high", "high"])
      expect(claim.issues[0]).toContain(`modifier_${modifier.toLowerCase()}`)
    }
  })

  it("an issue such as a code that had ended is no low risk", () => {
    const ended = { ...covered("K0001"), issues: ["K0001 had ended by the date of service."] }
    expect(checked([ended]).denialRisk).toBe("medium")
  })

  it("issues of a diagnosis, of stray units, of a pair in column 1: a medium risk", () => {
    const decision = decidedAll([covered("20610")])
    const unfound = { ...decision, issues: ["code_not_found: Z99.999 is in no table of diagnoses."] }
    expect(checked([covered("20610")], { decision: unfound })).toMatchObject({
      denialRisk: "medium",
      lines: [{ denialRisk: "low", issues: [] }]
    })
    const stray = checked([covered("20610")], { units: new Map([["99213", 1]]) })
    expect([stray.denialRisk, stray.issues.length]).toEqual(["medium", 1])
    const paired = checked(joint, pairs({ modifierIndicator: 1 }))
    expect(paired.lines.map((line) => line.denialRisk)).toEqual(["medium", "medium"])
    const query = coverageQueryOf({ procedureCodes: ["20610"] })
    expect(checkPriorAuth(query, listedFacts(), unfound).denialRisk).toBe("medium")
  })

  it("tells a line's system, description and documentation", () => {
    const documented = versionOf({
      policyId: "L33831",
      codeGroups: [procedure("K0001")],
      criteria: [{ ...passage("d1", "Keep  the order\non file."), section: "documentation" }]
    })
    const facts = { ...factsOf(documented), codes: [recordOf({ code: "K0001", description: "Wheelchair" })] }
    const claim = checked([decidedCode("K0001", "conditional", [documented]), covered("20610")], { facts })
    expect(claim.lines).toMatchObject([
      { code: "20610", codeType: "CPT", description: null },
      {
        code: "K0001",
        codeType: "HCPCS",
        description: "Wheelchair",
        documentation: ["Keep the order on file."]
      }
    ])
  })

  const lines = fc.uniqueArray(
    fc.record({
      code: fc.constantFrom("20610", "76942", "E0193", "15823", "K0001"),
      status: fc.constantFrom(...coverageStatuses)
    }),
    { minLength: 1, selector: ({ code }) => code }
  )
  const edits = fc.subarray([
    pairEdit({}),
    pairEdit({ modifierIndicator: 1 }),
    pairEdit({ column1: "K0001", column2: "E0193", service: "dme_supplier" }),
    pairEdit({ column1: "76942", column2: "20610", modifierIndicator: 9 })
  ])
  const words = fc.record({
    modifiers: fc.subarray(["59", "LT", "KX"]),
    siteOfService: fc.constantFrom(null, "office", "outpatient_hospital")
  })

  it("overall is the worst line, an issue no low risk; not covered never has prior authorization", () => {
    fc.assert(
      fc.property(lines, edits, words, (given, found, query) => {
        const codes = given.map(({ code, status }) => decidedCode(code, status))
        const claim = checked(codes, { pairs: found, query })
        const worst = Math.max(...claim.lines.map((line) => levels.indexOf(line.denialRisk)))
        expect(claim.denialRisk).toBe(levels[worst])
        for (const one of [claim, ...claim.lines]) {
          expect(one.denialRisk === "low" && one.issues.length > 0).toBe(false)
          if (one.status === "not_covered") {
            expect(one.priorAuthRequired).not.toBe(true)
            expect(one.denialRisk).toBe("high")
          }
        }
      })
    )
  })

  it("does not depend on the order of codes, modifiers or edits", () => {
    fc.assert(
      fc.property(lines, edits, words, (given, found, query) => {
        const codes = given.map(({ code, status }) => decidedCode(code, status))
        const turned = { ...query, modifiers: query.modifiers.toReversed() }
        expect(checked(codes.toReversed(), { pairs: found.toReversed(), query: turned })).toEqual(
          checked(codes, { pairs: found, query })
        )
      })
    )
  })
})
