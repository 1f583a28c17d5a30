import { describe, expect, it } from "vitest"
import type { CodeTableEdition } from "../../core/coverage/CodeTable.ts"
import { absentCodeMessage, editionAtHand } from "../../core/coverage/absentCode.ts"
import { day } from "../kit/library.ts"

const icd: CodeTableEdition = {
  codeSystem: "ICD10CM",
  name: "FY2021",
  from: day("2020-10-01"),
  until: day("2021-09-30")
}
const hcpcs: CodeTableEdition = { codeSystem: "HCPCS", name: "2026", from: day("2026-01-01"), until: null }
const tables = [hcpcs, icd]
const asOf = day("2026-03-01")

describe("coverage-domain §2.1 rule 1, the message for a code that was not found", () => {
  it("names the edition at hand and states that it does not cover the date", () => {
    expect(absentCodeMessage({ text: "U09.9", codeSystem: null, tables, asOf })).toBe(
      "No medical code matches. The loaded ICD-10-CM table (edition FY2021, 2020-10-01 to 2021-09-30) does not " +
        "cover the date asked for."
    )
    expect(editionAtHand({ text: "U09.9", codeSystem: null, tables, asOf })).toBe("FY2021")
  })

  it("states that an edition of the date does not contain the code", () => {
    expect(absentCodeMessage({ text: "U09.9", codeSystem: null, tables, asOf: day("2021-03-01") })).toMatch(
      /\(edition FY2021, .*\) does not contain it\.$/
    )
  })

  it("reports every code system whose shape the text has, and tables that are not loaded", () => {
    expect(absentCodeMessage({ text: "A0199", codeSystem: null, tables: [hcpcs], asOf })).toBe(
      "No medical code matches. The loaded HCPCS table (edition 2026, from 2026-01-01) does not contain " +
        "it. No ICD-10-CM table is loaded."
    )
    expect(absentCodeMessage({ text: "99999", codeSystem: null, tables, asOf })).toBe(
      "No medical code matches. No physician fee schedule (CPT) is loaded."
    )
    expect(editionAtHand({ text: "99999", codeSystem: null, tables, asOf })).toBeNull()
  })

  it("speaks of the requested code system only, and of no table for a text that is not a code", () => {
    const asked = { text: "A0199", codeSystem: "ICD10CM", tables: [hcpcs], asOf } as const
    expect(absentCodeMessage(asked)).toBe("No medical code matches. No ICD-10-CM table is loaded.")
    expect(absentCodeMessage({ ...asked, text: "oxygen", codeSystem: null })).toBe("No medical code matches.")
  })
})
