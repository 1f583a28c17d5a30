import { describe, expect, it } from "vitest"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import { emptyFacts } from "../../core/coverage/CoverageDecision.ts"
import { decide } from "../../core/coverage/decide/decide.ts"
import { day, recordOf } from "../kit/library.ts"
import { group, queryOf, versionOf } from "./decideSituations.ts"

const covering = versionOf({
  policyId: "L33718",
  codeGroups: [group("procedure", ["E0601", "99213"], { disposition: "covered" })]
})
const hcpcs = (given: Partial<CodeRecord>) => recordOf({ code: "E0601", ...given })
const icd = (given: Partial<CodeRecord>) => recordOf({ code: "G4733", codeSystem: "ICD10CM", ...given })

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
  ],
  [
    "codes that no table holds",
    [],
    [
      "code_not_found: E0601 is in no table of procedures.",
      "code_not_found: G47.33 is in no table of diagnoses."
    ]
  ],
  [
    "a procedure that only the other system knows",
    [recordOf({ code: "E0601", codeSystem: "ICD10CM" }), icd({})],
    ["code_not_found: E0601 is in no table of procedures."]
  ]
]

describe("coverage-domain §2.1.1: codes on the date of service", () => {
  it.each(table)("%s", (_, codes, issues) => {
    const query = queryOf({ diagnosisCodes: ["G4733"] })
    expect(decide({ ...emptyFacts, policies: [covering], codes }, query)).toMatchObject({
      status: "covered",
      issues
    })
    expect(decide({ ...emptyFacts, policies: [], codes }, query)).toMatchObject({ status: "unknown", issues })
  })

  it("a CPT code without a record is no issue: the AMA's table is nobody's to copy", () => {
    const query = queryOf({ procedureCodes: ["99213"] })
    expect(decide({ ...emptyFacts, policies: [covering], codes: [] }, query)).toMatchObject({
      status: "covered",
      issues: []
    })
  })
})
