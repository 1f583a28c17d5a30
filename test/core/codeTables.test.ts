import { describe, expect, it } from "vitest"
import type { CodeTableFile } from "../../core/coverage/CodeTable.ts"
import { codeTablesOf, feeScheduleOn, mayHold, tableOn, yearEdition } from "../../core/coverage/CodeTable.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { endedBefore } from "../../core/coverage/edition.ts"
import { day, recordOf } from "../kit/library.ts"

const file = (kind: CodeTableFile["kind"], released: string, given: Partial<CodeTableFile> = {}) => ({
  snapshotId: `${kind} ${released}`,
  kind,
  sourceAsOf: day(released),
  edition: null,
  ...given
})
const spans = (...files: ReadonlyArray<CodeTableFile>) =>
  codeTablesOf(files).map(({ from, name, until }) => [name, from, until])

describe("coverage-domain: a code that a later file lists no more", () => {
  const ended = (terminationDate: IsoDate | null) =>
    endedBefore(recordOf({ code: "K0001", terminationDate }), day("2026-04-01"))

  it("ends on the day before that file, unless it has ended by then", () => {
    expect(ended(null)?.terminationDate).toBe("2026-03-31")
    expect(ended(day("2026-12-31"))?.terminationDate).toBe("2026-03-31")
    expect(ended(day("2026-03-31"))).toBeUndefined()
    expect(ended(day("2025-12-31"))).toBeUndefined()
  })
})

describe("coverage-domain §2.1 rule 1: editions of code tables", () => {
  it("are the calendar year for HCPCS and the fee schedule, and from October for ICD-10-CM", () => {
    const days = ["2016-01-01", "2020-12-31"].map(day)
    expect(days.map((released) => yearEdition("hcpcs", released).name)).toEqual(["2016", "2020"])
    expect(yearEdition("pfs", day("2026-07-01"))).toEqual({
      name: "2026",
      from: "2026-01-01",
      until: "2026-12-31"
    })
    expect(["2020-09-30", "2020-10-01", "2021-01-01"].map((one) => yearEdition("icd10cm", day(one)))).toEqual(
      [
        { name: "FY2020", from: "2019-10-01", until: "2020-09-30" },
        { name: "FY2021", from: "2020-10-01", until: "2021-09-30" },
        { name: "FY2021", from: "2020-10-01", until: "2021-09-30" }
      ]
    )
  })

  it("a file alone has its whole year; of several each counts from its release", () => {
    expect(spans(file("hcpcs", "2026-07-01"))).toEqual([["2026", "2026-01-01", "2026-12-31"]])
    expect(spans(file("hcpcs", "2026-07-01"), file("hcpcs", "2026-01-01"))).toEqual([
      ["2026", "2026-01-01", "2026-06-30"],
      ["2026", "2026-07-01", "2026-12-31"]
    ])
    expect(
      spans(file("icd10cm", "2026-04-01"), file("icd10cm", "2025-10-01"), file("hcpcs", "2016-01-01"))
    ).toEqual([
      ["2016", "2016-01-01", "2016-12-31"],
      ["FY2026", "2025-10-01", "2026-03-31"],
      ["FY2026", "2026-04-01", "2026-09-30"]
    ])
  })

  it("of files of one release the last counts, and a stated edition is its own", () => {
    const again = file("pfs", "2026-01-01", { snapshotId: "again" })
    expect(codeTablesOf([file("pfs", "2026-01-01"), again]).map((table) => table.snapshotId)).toEqual([
      "again"
    ])
    const stated = { name: "2016..", from: day("2016-01-01"), until: null }
    expect(spans(file("hcpcs", "2016-01-01", { edition: stated }), file("hcpcs", "2020-01-01"))).toEqual([
      ["2016..", "2016-01-01", null],
      ["2020", "2020-01-01", "2020-12-31"]
    ])
  })

  it("a day outside every edition is answered by the table before it, which cannot judge", () => {
    const tables = codeTablesOf([file("hcpcs", "2016-01-01"), file("hcpcs", "2020-01-01")])
    const on = (text: string) => {
      const found = tableOn(tables, { codeSystem: "HCPCS", day: day(text) })
      return [found?.table.name, found?.judges]
    }
    expect(
      ["2015-12-31", "2016-01-01", "2016-12-31", "2017-01-01", "2020-01-01", "2026-03-01"].map(on)
    ).toEqual([
      ["2016", false],
      ["2016", true],
      ["2016", true],
      ["2016", false],
      ["2020", true],
      ["2020", false]
    ])
    expect(tableOn(tables, { codeSystem: "ICD10CM", day: day("2016-01-01") })).toBeUndefined()
  })

  it("a table holds no code that ended before it or begins after it", () => {
    const [table] = codeTablesOf([file("hcpcs", "2020-01-01")])
    const held = (from: string | null, until: string | null) =>
      table &&
      mayHold(table, {
        effectiveDate: from === null ? null : day(from),
        terminationDate: until === null ? null : day(until)
      })
    expect([held(null, null), held("2020-12-31", null), held("1990-01-01", "2020-01-01")]).toEqual([
      true,
      true,
      true
    ])
    expect([held(null, "2019-12-31"), held("2021-01-01", null)]).toEqual([false, false])
  })

  it("a fee schedule never values a service of before it", () => {
    const tables = codeTablesOf([file("pfs", "2026-01-01")])
    expect(feeScheduleOn(tables, day("2025-12-31"))).toBeUndefined()
    expect(feeScheduleOn(tables, day("2026-01-01"))?.judges).toBe(true)
    expect(feeScheduleOn(tables, day("2027-01-01"))?.judges).toBe(false)
  })
})
