import { describe, expect, it } from "vitest"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import type { CodeTableEdition } from "../../core/coverage/CodeTable.ts"
import { emptyFacts } from "../../core/coverage/CoverageDecision.ts"
import type { CoverageFacts, CoverageQuery } from "../../core/coverage/CoverageDecision.ts"
import { decide } from "../../core/coverage/decide/decide.ts"
import { codeFindings, diagnosisFindings } from "../../core/coverage/decide/validity.ts"
import { day, recordOf } from "../kit/library.ts"
import { group, queryOf, versionOf } from "./decideSituations.ts"

const covering = versionOf({
  policyId: "L33718",
  codeGroups: [group("procedure", ["E0601", "99213"], { disposition: "covered" })]
})
const article = versionOf({ policyId: "A1", codeGroups: [group("dx_covered", ["G4733", "M5450"])] })
const hcpcs = (given: Partial<CodeRecord>) => recordOf({ code: "E0601", ...given })
const icd = (given: Partial<CodeRecord>) => recordOf({ code: "G4733", codeSystem: "ICD10CM", ...given })
const edition = (codeSystem: CodeTableEdition["codeSystem"], from: string, until: string) => ({
  codeSystem,
  name: from.slice(0, 4),
  from: day(from),
  until: day(until)
})
/** The tables of the day of every question here, 2026-02-01. */
const codeTables = [
  edition("HCPCS", "2026-01-01", "2026-12-31"),
  edition("ICD10CM", "2025-10-01", "2026-09-30")
]
const ofDay = (given: Partial<CoverageFacts>): CoverageFacts => ({ ...emptyFacts, codeTables, ...given })

const findings = (facts: CoverageFacts, given: Partial<CoverageQuery>) => {
  const query = queryOf({ diagnosisCodes: [], procedureCodes: [], ...given })
  return { ...Object.fromEntries([...codeFindings(facts, query), ...diagnosisFindings(facts, query)]) }
}

const table: ReadonlyArray<readonly [string, ReadonlyArray<CodeRecord>, ReadonlyArray<string>]> = [
  ["valid codes", [hcpcs({}), icd({})], []],
  [
    "a code on its last day",
    [hcpcs({ terminationDate: day("2026-02-01"), effectiveDate: day("2026-02-01") }), icd({})],
    []
  ],
  [
    "a code that ended the day before",
    [hcpcs({ terminationDate: day("2026-01-31") }), icd({})],
    ["code_terminated: E0601 ended on 2026-01-31."]
  ],
  [
    "a code that begins the day after",
    [hcpcs({ effectiveDate: day("2026-02-02") }), icd({})],
    ["code_not_yet_effective: E0601 begins on 2026-02-02."]
  ],
  [
    "a header among the diagnoses",
    [hcpcs({}), icd({ billable: false })],
    ["code_not_billable: G47.33 is a header and may not be submitted."]
  ]
]

describe("coverage-domain §2.1 rule 1: codes on a day that their table can judge", () => {
  it.each(table)("%s", (_, codes, issues) => {
    const query = queryOf({ diagnosisCodes: ["G4733"] })
    const named = decide(ofDay({ policies: [covering], codes }), query)
    expect(named).toMatchObject({ status: "covered", issues, knownGaps: [] })
    const unnamed = decide(ofDay({ codes }), query)
    expect(unnamed).toMatchObject({ status: "unknown", issues })
  })

  it("a code that no table holds is an issue, unless a document in force names it", () => {
    const asked = { procedureCodes: ["E0601"], diagnosisCodes: ["G4733"] }
    const absent = { gaps: [], isNamed: false }
    expect(findings(ofDay({}), asked)).toEqual({
      E0601: { ...absent, issues: ["code_not_found: E0601 is in no table of procedures."] },
      G4733: { ...absent, issues: ["code_not_found: G47.33 is in no table of diagnoses."] }
    })
    const named = { issues: [], gaps: [], isNamed: true }
    expect(findings(ofDay({ policies: [covering, article] }), asked)).toEqual({ E0601: named, G4733: named })
    const proposed = [covering, article].map((version) => ({ ...version, status: "proposed" as const }))
    expect(findings(ofDay({ policies: proposed }), asked)["E0601"]?.isNamed).toBe(false)
  })

  it("a record of another system is no record of the code", () => {
    const codes = [recordOf({ code: "E0601", codeSystem: "ICD10CM" })]
    expect(findings(ofDay({ codes }), { procedureCodes: ["E0601"] })["E0601"]?.issues).toHaveLength(1)
  })

  it("a text of no code's shape is an issue on every day", () => {
    const asked = { procedureCodes: ["WHAT"], diagnosisCodes: ["BACK PAIN"] }
    const issues = Object.values(findings(emptyFacts, asked)).flatMap((one) => one.issues)
    expect(issues).toEqual([
      "code_not_found: WHAT is in no table.",
      "code_not_found: BACK PAIN is in no table."
    ])
  })
})

describe("coverage-domain §2.1 rule 1: codes on a day that no table can judge", () => {
  const old: ReadonlyArray<readonly [string, ReadonlyArray<CodeTableEdition>]> = [
    ["there is none", []],
    [
      "it ended before",
      [edition("HCPCS", "2016-01-01", "2016-12-31"), edition("ICD10CM", "2020-10-01", "2021-09-30")]
    ],
    [
      "it begins after",
      [edition("HCPCS", "2027-01-01", "2027-12-31"), edition("ICD10CM", "2026-10-01", "2027-09-30")]
    ]
  ]
  it.each(old)("a gap and no issue: %s", (_, tables) => {
    const codes = [recordOf({ code: "M545", codeSystem: "ICD10CM", billable: false })]
    const facts = { ...emptyFacts, codeTables: tables, codes }
    expect(findings(facts, { procedureCodes: ["Q9999"], diagnosisCodes: ["M545"] })).toEqual({
      Q9999: { issues: [], gaps: ["hcpcs_edition"], isNamed: false },
      M545: { issues: [], gaps: ["icd10cm_edition"], isNamed: false }
    })
  })

  it("M54.5 on 2026-03-01 with a table of fiscal year 2021 is a gap of the whole answer", () => {
    const codeTables = [edition("ICD10CM", "2020-10-01", "2021-09-30")]
    const query = queryOf({
      procedureCodes: ["99213"],
      diagnosisCodes: ["M545"],
      dateOfService: day("2026-03-01")
    })
    expect(decide({ ...emptyFacts, policies: [covering], codeTables }, query)).toMatchObject({
      issues: [],
      knownGaps: ["icd10cm_edition"],
      confidence: "low"
    })
  })

  it("the gap lowers confidence only in a code that no document in force names", () => {
    const query = queryOf({ procedureCodes: ["E0601"], diagnosisCodes: [] })
    const named = decide({ ...emptyFacts, policies: [covering] }, query)
    expect(named).toMatchObject({ status: "covered", knownGaps: ["hcpcs_edition"], confidence: "high" })
    expect(findings(emptyFacts, { procedureCodes: ["E0601"] })["E0601"]?.isNamed).toBe(false)
  })

  it("CPT and CDT codes are neither: their tables are the AMA's and the ADA's", () => {
    const none = { issues: [], gaps: [], isNamed: false }
    expect(findings(ofDay({}), { procedureCodes: ["99213", "0627T", "D0120"] })).toEqual({
      "99213": none,
      "0627T": none,
      D0120: none
    })
  })
})
