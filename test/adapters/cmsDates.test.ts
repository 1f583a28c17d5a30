import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { dateFault, dayIn, sortableTime } from "../../adapters/cms/cell.ts"
import { contentsAt, editedFixture, fixture, newestOf } from "../kit/cmsFixtures.ts"

describe("a date of the coverage database (coverage-domain §1.1)", () => {
  it.each([
    ["2026-03-09", "2026-03-09"],
    ["2026-03-09 16:52:10.000000000", "2026-03-09"],
    ["3/9/2026", "2026-03-09"],
    ["03/09/2026 16:52", "2026-03-09"],
    ["12/31/2025 4:05:06 PM", "2025-12-31"],
    ["", null],
    ["N/A", null],
    ["2/30/2026", undefined],
    ["31/12/2025", undefined],
    ["3/9/26", undefined],
    ["46090", undefined],
    ["soon", undefined]
  ])("%j is the day %j", (cell, expected) => {
    expect(dayIn(cell)).toBe(expected)
  })

  it.each([
    ["2026-02-30", "a day that the calendar does not have"],
    ["2/30/2026", "a day that the calendar does not have"],
    ["20260309", "eight digits"],
    ["46090.7", "a number"],
    ["3/9/26", "a year of two digits"],
    ["9.3.2026", "a date in another form"],
    ["soon", "a text"]
  ])("a fault names the column and the kind of value, and never %j", (cell, kind) => {
    const fault = dateFault({ rev_eff_date: "2026-01-01", rev_end_date: cell })
    expect(fault).toBe(`rev_end_date is no date: it holds ${kind}, not YYYY-MM-DD or M/D/YYYY`)
  })

  it("of a spreadsheet sorts with the source's own form, also after noon", () => {
    const cells = [
      "3/9/2026 1:05 PM",
      "12/31/2025",
      "3/9/2026 12:30 AM",
      "2026-03-09 09:00:00",
      "3/9/2026 9:59"
    ]
    expect(cells.map(sortableTime).toSorted()).toEqual([
      "2025-12-31 00",
      "2026-03-09 00:30",
      "2026-03-09 09:00:00",
      "2026-03-09 09:59",
      "2026-03-09 13:05"
    ])
  })

  it.live("is named with its file and line where it cannot be read", () =>
    Effect.gen(function* () {
      const broken = yield* editedFixture("mcd", {
        lcd: (text) => text.replace(/\d{4}-\d{2}-\d{2} 00:00:00/, "someday")
      })
      const { file, line, reason } = yield* Effect.flip(contentsAt(broken))
      expect([file, line]).toEqual(["lcd.csv", 2])
      expect(reason).toMatch(/^[a-z_]+ is no date: it holds a text, not YYYY-MM-DD or M\/D\/YYYY$/)
    })
  )

  it.live("in a spreadsheet's form gives the same days of documents and snapshot", () =>
    Effect.gen(function* () {
      const turn = (text: string) =>
        text.replace(
          /(\d{4})-(\d{2})-(\d{2}) (\d{2}:\d{2}:\d{2})(\.\d+)?/g,
          (_, year, month, day, time) => `${Number(month)}/${Number(day)}/${year} ${time}`
        )
      const names = ["lcd", "article", "lcd_x_hcpc_code", "article_x_icd10_covered", "lcd_x_contractor"]
      const edits = Object.fromEntries(names.map((name) => [name, turn]))
      const [plain, turned] = [
        yield* contentsAt(fixture("mcd")),
        yield* contentsAt(yield* editedFixture("mcd", edits))
      ]
      expect(turned.snapshot.sourceAsOf).toBe(plain.snapshot.sourceAsOf)
      const daysOf = (contents: typeof plain) =>
        [...newestOf(contents)].map(([id, one]) => [id, one.effectiveDate, one.retireDate])
      expect(daysOf(turned)).toEqual(daysOf(plain))
    })
  )
})
