import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readMue } from "../../adapters/cms/readMue.ts"
import { serviceNamed } from "../../adapters/cms/serviceNamed.ts"
import type { Fault } from "../kit/editFiles.ts"
import { all, changeLine, suppliesFile, textOf, unitsFile, writeEditFile } from "../kit/editFiles.ts"

const unitsAt = (path: string) => Effect.flatMap(readMue(path, "practitioner"), all)

describe("medically unlikely edits (coverage-domain §1.3)", () => {
  it.effect("are read below titles of several lines, with their units and indicators", () =>
    Effect.gen(function* () {
      const { count, snapshot, units } = yield* unitsAt(unitsFile)
      expect([snapshot.kind, snapshot.sourceAsOf, count]).toEqual(["mue", "2026-01-01", 15])
      expect(units.find((unit) => unit.code === "J0585")).toEqual({
        code: "J0585",
        service: "practitioner",
        units: 600,
        adjudication: 3,
        rationale: "Clinical: Data",
        effectiveDate: "2026-01-01"
      })
      expect(new Set(units.map((unit) => unit.adjudication))).toEqual(new Set([1, 2, 3]))
    })
  )

  it.effect("come between commas or tabs", () =>
    Effect.gen(function* () {
      const { units } = yield* Effect.flatMap(readMue(suppliesFile, "dme_supplier"), all)
      expect(units.map((unit) => [unit.code, unit.units])).toEqual([
        ["E0470", 1],
        ["E0601", 1],
        ["E0650", 1],
        ["E0720", 1]
      ])
    })
  )

  it.live("take their first day from a title where the name does not say it", () =>
    Effect.gen(function* () {
      const text = yield* textOf(unitsFile)
      const titled = yield* writeEditFile(
        "units.csv",
        text.replace("MUE Table", "MUE Table, Effective 04/01/2026")
      )
      expect((yield* unitsAt(titled)).snapshot.sourceAsOf).toBe("2026-04-01")
      const silent = yield* writeEditFile("units.csv", text)
      expect((yield* Effect.flip(unitsAt(silent))).reason).toMatch(/^neither its name nor its titles say/)
    })
  )

  const unreadable: ReadonlyArray<Fault> = [
    [
      "a code that is none",
      6,
      (line) => line.replace("11055", "1105"),
      "its first cell is no procedure code"
    ],
    ["units that are none", 6, (line) => line.replace(",1,", ",one,"), "its units are no whole number"],
    [
      "an indicator that is none",
      6,
      (line) => line.replace("2 Date", "4 Date"),
      "its adjudication indicator is none of 1, 2, 3"
    ],
    ["a line cut short", 20, (line) => line.slice(0, 7), "a row has 3 or 4 cells, this one 2"]
  ]
  it.live.each(unreadable)("skip a row with %s, count it and report its line", ([, line, change, reason]) =>
    Effect.gen(function* () {
      const found = yield* unitsAt(yield* changeLine(unitsFile, line, change))
      expect([found.count, found.units.length, found.skippedRows]).toEqual([14, 14, 1])
      expect(found.gaps).toEqual([
        `Rows that could not be read and were skipped: 1 (line ${line}: ${reason}).`
      ])
    })
  )

  it.live("skip fewer than half of their rows, and are refused at the first unreadable row beyond", () =>
    Effect.gen(function* () {
      const text = yield* textOf(unitsFile)
      const spoiled = (rows: number) => {
        let left = rows
        return text.replace(/,(\d+),(?=[123] )/g, (whole) => (left-- > 0 ? ",x," : whole))
      }
      const name = "MCR_MUE_PractitionerServices_Eff_01-01-2026.csv"
      const most = yield* unitsAt(yield* writeEditFile(name, spoiled(7)))
      expect([most.count, most.skippedRows]).toEqual([8, 7])
      expect(most.gaps[0]).toMatch(
        /skipped: 7 \(line 6: .*; line 10: its units are no whole number; and more\)\.$/
      )
      expect(yield* Effect.flip(unitsAt(yield* writeEditFile(name, spoiled(8))))).toMatchObject({
        line: 6,
        reason:
          "its units are no whole number, and 8 of 15 rows are unreadable: take the table as CMS publishes it"
      })
    })
  )

  const faults: ReadonlyArray<Fault> = [
    [
      "a quote that is never closed",
      8,
      (line) => line.replace(",1", ',"1'),
      "a quoted cell is never closed: the file is cut short or a quote is missing"
    ],
    [
      "a code twice",
      7,
      (line) => line.replace("11721", "11055"),
      "its code is in an earlier row of the table"
    ]
  ]
  it.live.each(faults)("with %s are refused by the line", ([, line, change, reason]) =>
    Effect.gen(function* () {
      const fault = yield* Effect.flip(unitsAt(yield* changeLine(unitsFile, line, change)))
      expect(fault).toMatchObject({ line, reason })
    })
  )

  it.effect("of other services than were said are refused by their header", () =>
    Effect.gen(function* () {
      const fault = yield* Effect.flip(Effect.flatMap(readMue(unitsFile, "dme_supplier"), all))
      expect(fault).toMatchObject({ line: 4, reason: "its header names other services" })
    })
  )
})

describe("the service of a table of edits", () => {
  it("is what CMS's names say", () => {
    const names = [
      "ccipra-v321r0-f1.txt",
      "ccioph-v321r0-f4.txt",
      "MCR_MUE_PractitionerServices_Eff_01-01-2026.csv",
      "MCR_MUE_OutpatientHospitalServices_Eff_01-01-2026.csv",
      "MCR_MUE_DMESupplierServices_Eff_01-01-2026.csv",
      "edits.txt",
      "handmedown.csv"
    ]
    expect(names.map(serviceNamed)).toEqual([
      "practitioner",
      "outpatient_hospital",
      "practitioner",
      "outpatient_hospital",
      "dme_supplier",
      undefined,
      undefined
    ])
  })
})
