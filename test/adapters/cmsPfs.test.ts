import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readPfs } from "../../adapters/cms/readPfs.ts"
import { Codes } from "../../core/port/Codes.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { importCodes } from "../../core/import/importCodes.ts"
import { fixture, folder } from "../kit/cmsFixtures.ts"
import { day, recordOf, snapshotOf } from "../kit/library.ts"
import { memoryLibrary } from "../kit/oracle.ts"

const file = fixture("pfs/PPRRVU2026_Jan.csv")
const contentsAt = (path: string) => Effect.flatMap(readPfs(path), (source) => source.read)

/** The file with its text changed, under a name of its own. */
const changed = Effect.fnUntraced(function* (change: (text: string) => string, name = "changed.csv") {
  const path = join(yield* folder, name)
  const text = yield* Effect.promise(() => readFile(file, "latin1"))
  yield* Effect.promise(() => writeFile(path, change(text), "latin1"))
  return path
})

describe("the relative value file of the physician fee schedule (contract §4, import pfs)", () => {
  it.effect("gives a row for each code and modifier, found by the header that spans rows", () =>
    Effect.gen(function* () {
      const { codes, codeSystem, edition, fees = [], snapshot } = yield* contentsAt(file)
      expect([snapshot.kind, snapshot.sourceAsOf, codeSystem]).toEqual(["pfs", "2026-01-01", null])
      expect(edition).toEqual({ name: "2026", from: "2026-01-01", until: "2026-12-31" })
      expect(fees.length).toBe(13)
      expect(fees.filter(({ code }) => code === "93922").map((fee) => [fee.modifier, fee.workRvu])).toEqual([
        ["", 0.25],
        ["26", 0.25],
        ["TC", 0]
      ])
      expect(fees[0]).toEqual({
        code: "11720",
        modifier: "",
        statusCode: "A",
        workRvu: 0.3,
        nonFacilityPeRvu: 0.7,
        facilityPeRvu: 0.1,
        mpRvu: 0.02,
        nonFacilityTotal: 1.02,
        facilityTotal: 0.42,
        globalDays: "000",
        conversionFactor: 33
      })
      expect(fees.find(({ modifier }) => modifier === "TC")?.facilityTotal).toBeNull()
      expect(codes.map(({ code }) => code)).toContain("93922")
      expect(codes.every((one) => one.codeSystem === "CPT" && one.description === null)).toBe(true)
      expect(JSON.stringify({ codes, fees })).not.toContain("DESCRIPTOR")
    })
  )

  it.live("says its year by its title, else by its name, and the quarter by either", () =>
    Effect.gen(function* () {
      const untitled = (text: string) => text.replace(/2026 National[^,]*/, "A table")
      const dayOf = (change: (text: string) => string, name: string) =>
        Effect.flatMap(changed(change, name), (path) =>
          Effect.map(contentsAt(path), ({ snapshot }) => snapshot.sourceAsOf)
        )
      expect(yield* dayOf((text) => text.replace("January Release", "July Release"), "a.csv")).toBe(
        "2026-07-01"
      )
      expect(yield* dayOf(untitled, "PPRRVU25_OCT.csv")).toBe("2025-10-01")
      expect(yield* dayOf(untitled, "PPRRVU2024_Apr_nonQPP.csv")).toBe("2024-04-01")
      const fault = yield* Effect.flip(Effect.flatMap(changed(untitled, "fees.csv"), contentsAt))
      expect(fault.reason).toMatch(/--edition does$/)
      const edition = { name: "stated", from: day("2023-01-01"), until: day("2023-12-31") }
      const stated = yield* Effect.flatMap(changed(untitled, "fees.csv"), (path) => readPfs(path, edition))
      expect((yield* stated.read).edition).toEqual(edition)
    })
  )

  it.live("reads a header of one row as well, and one that is spread further", () =>
    Effect.gen(function* () {
      const spread = (text: string) => text.replace(",CONV,", ",,").replace(",ENDO,,", ",ENDO,CONV,")
      expect((yield* Effect.flatMap(changed(spread), contentsAt)).fees?.[0]?.conversionFactor).toBe(33)
      const names = "HCPCS,MOD,DESCRIPTION,STATUS CODE,WORK RVU,NON-FAC PE RVU,FACILITY PE RVU,MP RVU,"
      const rest = "NON-FACILITY TOTAL,FACILITY TOTAL,GLOB DAYS,CONV FACTOR"
      const row = "99213,,x,A,1.3,1.2,.5,0.1,2.6,1.9,0,32.35"
      const text = `2026 Physician Fee Schedule,,,,,,,,,,,\n${names}${rest}\n${row}\n`
      const { fees } = yield* Effect.flatMap(
        changed(() => text),
        contentsAt
      )
      expect(fees?.[0]).toMatchObject({ facilityPeRvu: 0.5, globalDays: "000", conversionFactor: 32.35 })
    })
  )

  const faults: ReadonlyArray<readonly [string, (text: string) => string, number | null, string]> = [
    ["no header", (text) => text.replace("\nHCPCS,", "\nWHAT,"), null, "no header of a relative value file"],
    ["a column missing", (text) => text.replace("FACTOR", "WHAT"), 9, "the column CONV FACTOR is missing"],
    ["a row cut short", (text) => text.replace(/(11720.*?),33.*?\r/, "$1\r"), 10, "it has 24 cells, not 31"],
    [
      "a code that is none",
      (text) => text.replace("\n11720", "\n1172"),
      10,
      "its first cell is no procedure code"
    ],
    ["a value that is none", (text) => text.replace("A,,0.50", "A,,half"), 11, "its WORK RVU is no number"],
    [
      "a status that is none",
      (text) => text.replace("KEPT,A,,0.50", "KEPT,,,0.50"),
      11,
      "its status is no letter"
    ],
    ["an open quote", (text) => text.replace("\n11721,", '\n11721,"'), 11, "a quoted cell is never closed"],
    ["a code twice", (text) => text.replace("\n11721", "\n11720"), 11, "its code and modifier stand in"],
    ["no row", (text) => text.slice(0, text.indexOf("11720")), null, "no row of it is a code"]
  ]
  it.live.each(faults)("refuses %s, by its line, and nothing is kept", ([, change, line, reason]) =>
    Effect.gen(function* () {
      const source = yield* Effect.flatMap(changed(change), (path) => readPfs(path))
      const fault = yield* Effect.flip(importCodes(source, () => Effect.void))
      expect(fault).toMatchObject({ file: "changed.csv", line, reason: expect.stringContaining(reason) })
      expect(yield* (yield* Codes).tables).toEqual([])
    }).pipe(Effect.provide(memoryLibrary))
  )

  it.effect("imported makes its CPT codes known and valued; the second run is unchanged", () =>
    Effect.gen(function* () {
      const source = yield* readPfs(file)
      expect(yield* importCodes(source, () => Effect.void)).toMatchObject({ codes: 23, unchanged: false })
      expect(yield* importCodes(source, () => Effect.void)).toMatchObject({ codes: 0, unchanged: true })
      const codes = yield* Codes
      const asOf = day("2026-06-01")
      const found = yield* codes.find({ codes: ["93922", "G0127"], codeSystem: null, asOf })
      expect(found.map(({ code, codeSystem }) => [codeSystem, code])).toEqual([["CPT", "93922"]])
      const fees = yield* codes.fees({ codes: ["93922", "G0127", "99213"], asOf })
      expect(fees.map((fee) => [fee.code, fee.modifier, fee.statusCode])).toEqual([
        ["93922", "", "A"],
        ["G0127", "", "R"]
      ])
    }).pipe(Effect.provide(memoryLibrary))
  )

  it.live("a release makes no code begin: what is known keeps its day, what is new has none", () =>
    Effect.gen(function* () {
      const earlier = snapshotOf({ snapshotId: "earlier", kind: "hcpcs", sourceAsOf: day("2017-01-01") })
      const known = recordOf({ code: "93922", codeSystem: "CPT", effectiveDate: day("2017-01-01") })
      yield* (yield* Snapshots).save({ _tag: "Codes", snapshot: earlier, codes: [known] })
      const april = (text: string) =>
        text.replace("January Release", "April Release").replaceAll(/^11721/gm, "11719")
      for (const path of [file, yield* changed(april, "PPRRVU2026_Apr.csv")])
        yield* importCodes(yield* readPfs(path), () => Effect.void)
      const codes = yield* Codes
      for (const asOf of ["2026-02-01", "2026-06-01"].map(day)) {
        const found = yield* codes.find({ codes: ["11719", "11720", "93922"], codeSystem: null, asOf })
        expect(found.map(({ code, effectiveDate }) => [code, effectiveDate])).toEqual([
          ["11719", null],
          ["11720", null],
          ["93922", "2017-01-01"]
        ])
      }
      const [first] = yield* codes.find({ codes: ["93922"], codeSystem: null, asOf: day("2016-01-01") })
      expect(first).toEqual(known)
    }).pipe(Effect.provide(memoryLibrary))
  )
})
