import { copyFile, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readIcd10cm, releaseOf } from "../../adapters/cms/readIcd10cm.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { fixture, folder } from "../kit/cmsFixtures.ts"

const hcpcsFile = fixture("codes/hcpcs.txt")
const icdFile = fixture("codes/icd10cm-order-Jan-2021.txt")
const hcpcsAt = (path: string) => Effect.flatMap(readHcpcs(path), (source) => source.read)
const icdAt = (path: string) => Effect.flatMap(readIcd10cm(path), (source) => source.read)

/** The file with one line changed, counted from 1, in a folder of its own. */
const changed = Effect.fnUntraced(function* (file: string, line: number, change: (text: string) => string) {
  const path = join(yield* folder, "changed.txt")
  const text = yield* Effect.promise(() => readFile(file, "latin1"))
  const lines = text.split("\r\n").map((each, index) => (index === line - 1 ? change(each) : each))
  yield* Effect.promise(() => writeFile(path, lines.join("\r\n"), "latin1"))
  return path
})

const longContinuation = "a continuation ends in column 320 at most, this one in 321"
const noDay =
  "columns 277 to 284 (action effective date) are no date: they hold a day that the calendar does not " +
  "have, not YYYYMMDD"
const words = "columns 269 to 276 (date added) are no date: they hold a text, not YYYYMMDD"

describe("the HCPCS contractor file (coverage-domain §1.3)", () => {
  it.effect("gives its codes with joined descriptions, dates and coverage codes", () =>
    Effect.gen(function* () {
      const { codes, snapshot, codeSystem, gaps } = yield* hcpcsAt(hcpcsFile)
      expect([snapshot.kind, snapshot.sourceAsOf, codeSystem]).toEqual(["hcpcs", "2017-01-01", "HCPCS"])
      expect(codes.slice(0, 7).map((code) => [code.code, code.coverageCode])).toEqual([
        ["A0100", "I"],
        ["E0193", "D"],
        ["E0650", "D"],
        ["E0651", "D"],
        ["C9021", "C"],
        ["62323", "C"],
        ["J0717", "C"]
      ])
      expect(codes.find((code) => code.code === "E0651")).toEqual({
        codeSystem: "HCPCS",
        code: "E0651",
        description:
          "Pneumatic compressor, segmental home model without calibrated gradient pressure, with all parts",
        shortDescription: "Pneum compressor segmental",
        category: "Durable medical equipment",
        betosCode: "D1E",
        poaExempt: null,
        billable: true,
        coverageCode: "D",
        effectiveDate: "1991-01-01",
        terminationDate: null
      })
      expect(codes.find((code) => code.code === "C9021")?.terminationDate).toBe("2014-12-31")
      expect(gaps).toEqual(["Modifiers left out, for they are no codes of a lookup: 2."])
    })
  )

  it.live("reads records with more or fewer trailing blanks than the layout has", () =>
    Effect.gen(function* () {
      const text = yield* Effect.promise(() => readFile(hcpcsFile, "latin1"))
      const expected = yield* hcpcsAt(hcpcsFile)
      for (const pad of [
        (line: string) => line.trimEnd(),
        (line: string) => line.padEnd(400),
        (line: string) => `${line}  `
      ]) {
        const path = join(yield* folder, "hcpcs.txt")
        const lines = text.split("\r\n").map((line) => (line === "" ? line : pad(line)))
        yield* Effect.promise(() => writeFile(path, lines.join("\r\n"), "latin1"))
        expect((yield* hcpcsAt(path)).codes).toEqual(expected.codes)
      }
    })
  )

  it.effect("keeps no word of a CPT code's description", () =>
    Effect.gen(function* () {
      const cpt = (yield* hcpcsAt(hcpcsFile)).codes.find((code) => code.code === "62323")
      expect(cpt).toMatchObject({ codeSystem: "CPT", description: null, shortDescription: null })
    })
  )

  const faults: ReadonlyArray<readonly [string, number, (line: string) => string, string]> = [
    [
      "a code's line cut short",
      6,
      (line) => line.slice(0, 284),
      "a record of type 3 or 7 ends in columns 293 to 320, this one in 284"
    ],
    ["a continuation too long", 8, (line) => `${line.padEnd(320)}x`, longContinuation],
    [
      "a record type that is none",
      6,
      (line) => `${line.slice(0, 10)}9${line.slice(11)}`,
      "column 11 is none of the record types 3, 4, 7 and 8"
    ],
    [
      "a continuation of another code",
      8,
      (line) => `E0652${line.slice(5)}`,
      "a continuation must follow the code it belongs to"
    ],
    ["a code twice", 6, (line) => `E0193${line.slice(5)}`, "its code stands in the file before"],
    ["a code that is none", 6, (line) => `EE650${line.slice(5)}`, "columns 1 to 5 are no code"],
    [
      "a coverage code that is none",
      6,
      (line) => `${line.slice(0, 229)}X${line.slice(230)}`,
      "column 230 is no coverage code"
    ],
    ["a date that is none", 6, (line) => `${line.slice(0, 276)}20160230${line.slice(284)}`, noDay],
    ["a date of words", 6, (line) => `${line.slice(0, 268)}tomorrow${line.slice(276)}`, words]
  ]
  for (const [name, line, change, reason] of faults) {
    it.live(`refuses ${name}, by its line`, () =>
      Effect.gen(function* () {
        const fault = yield* Effect.flip(hcpcsAt(yield* changed(hcpcsFile, line, change)))
        expect(fault).toMatchObject({ file: "changed.txt", line, reason })
      })
    )
  }
})

describe("the ICD-10-CM order file (coverage-domain §1.3)", () => {
  it.effect("gives headers and billable codes without dots, each under its category", () =>
    Effect.gen(function* () {
      const { codes, snapshot } = yield* icdAt(icdFile)
      expect(snapshot).toMatchObject({ kind: "icd10cm", sourceAsOf: "2021-01-01" })
      expect(codes.find((code) => code.code === "M4806")).toMatchObject({ billable: false })
      expect(codes.find((code) => code.code === "M48061")).toMatchObject({
        billable: true,
        description: "Spinal stenosis, lumbar region without neurogenic claudication",
        shortDescription: "Spinal stenosis, lumbar region without neurogenic claudicati",
        category: "Other spondylopathies",
        effectiveDate: null
      })
    })
  )

  it.live("is the same snapshot packed or not", () =>
    Effect.gen(function* () {
      const packed = join(yield* folder, "order.txt.gz")
      yield* Effect.promise(async () => writeFile(packed, gzipSync(await readFile(icdFile))))
      const [plain, gzip] = [yield* readIcd10cm(icdFile), yield* readIcd10cm(packed)]
      expect(gzip.snapshotId).toBe(plain.snapshotId)
      expect((yield* gzip.read).codes).toEqual((yield* plain.read).codes)
    })
  )

  it.each([
    ["icd10cm-order-Jan-2021.txt.gz", "2021-01-01"],
    ["icd10cm-order-April-2025.txt", "2025-04-01"],
    ["icd10cm-order-April-1-2026.txt", "2026-04-01"],
    ["icd10cm_order_2026_April_1.txt", "2026-04-01"],
    ["icd10cm-order-2026-04-15.txt", "2026-04-15"],
    ["icd10cm-order-FY2026-Oct-1st-2025.txt", "2025-10-01"],
    ["icd10cm_order_2026.txt", "2025-10-01"],
    ["codes.txt", "2022-02-03"]
  ])("reads the release of %s as %s", (name, day) => {
    const modifiedOn = "2022-02-03" as IsoDate
    expect(releaseOf({ name, modifiedOn })).toEqual(Result.succeed({ day, isGuessed: name === "codes.txt" }))
  })

  const ambiguousNames: ReadonlyArray<readonly [string, string]> = [
    ["icd10cm-order-April.txt", "states a month without its year"],
    ["icd10cm-order-2025-2026.txt", "states more than one date"],
    ["icd10cm-order-Jan-2026-April-2026.txt", "states more than one date"],
    ["icd10cm-order-April-31-2026.txt", "states no real date"],
    ["icd10cm-order-2026-Oct.txt", "states a month after a year that may be the calendar or the fiscal year"]
  ]
  it.live.each(ambiguousNames)(
    "refuses the ambiguous name %s unless the edition is stated",
    ([name, reason]) =>
      Effect.gen(function* () {
        const path = join(yield* folder, name)
        yield* Effect.promise(() => copyFile(icdFile, path))
        expect(yield* Effect.flip(icdAt(path))).toMatchObject({
          file: name,
          reason: `the file's name ${reason}; state the days of the edition with --edition FROM..TO`
        })
        const edition = { name: "x", from: "2026-04-01" as IsoDate, until: "2026-09-30" as IsoDate }
        const stated = yield* Effect.flatMap(readIcd10cm(path, edition), (source) => source.read)
        expect([stated.snapshot.sourceAsOf, stated.edition, stated.gaps]).toEqual(["2026-04-01", edition, []])
      })
  )

  const faults: ReadonlyArray<readonly [string, number, (line: string) => string, string]> = [
    ["a line cut short", 3, (line) => line.slice(0, 70), "a line has at least 78 characters, this one 70"],
    [
      "an order that steps back",
      3,
      (line) => `00001${line.slice(5)}`,
      "its order number is not above the one before"
    ],
    [
      "a flag that is none",
      3,
      (line) => `${line.slice(0, 14)}2${line.slice(15)}`,
      "column 15 is neither 0 nor 1"
    ],
    ["a code that is none", 3, (line) => line.replace("A0100", "AB100"), "columns 7 to 13 are no code"],
    ["a code twice", 3, (line) => line.replace("A0100 ", "A010  "), "its code stands in the file before"]
  ]
  for (const [name, line, change, reason] of faults) {
    it.live(`refuses ${name}, by its line`, () =>
      Effect.gen(function* () {
        const fault = yield* Effect.flip(icdAt(yield* changed(icdFile, line, change)))
        expect(fault).toMatchObject({ file: "changed.txt", line, reason })
      })
    )
  }

  it.live("refuses a damaged archive and an empty file", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const damaged = join(path, "damaged.gz")
      const packed = yield* Effect.promise(() => readFile(icdFile).then(gzipSync))
      yield* Effect.promise(() => writeFile(damaged, packed.subarray(0, packed.length - 40)))
      expect((yield* Effect.flip(icdAt(damaged))).reason).toBe("its compressed data ends too early")
      yield* Effect.promise(() => writeFile(join(path, "empty.txt"), ""))
      expect((yield* Effect.flip(icdAt(join(path, "empty.txt")))).reason).toBe("no line of it is a code")
    })
  )
})
