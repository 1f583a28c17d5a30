import { readFile, writeFile } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readMue } from "../../adapters/cms/readMue.ts"
import { pairsPerBatch, readNcci } from "../../adapters/cms/readNcci.ts"
import { ClaimEdits } from "../../core/port/ClaimEdits.ts"
import { Snapshots, SnapshotsUnavailable } from "../../core/port/Snapshots.ts"
import type { EditSource } from "../../core/import/EditSource.ts"
import { importEdits } from "../../core/import/importEdits.ts"
import type { ImportProgress } from "../../core/import/ImportReport.ts"
import { fixture } from "../kit/cmsFixtures.ts"
import type { Fault } from "../kit/editFiles.ts"
import { all, changeLine, pairsFile, textOf, unitsFile, writeEditFile } from "../kit/editFiles.ts"
import { day } from "../kit/library.ts"
import { memoryLibrary } from "../kit/oracle.ts"

const pairsAt = (path: string) => Effect.flatMap(readNcci(path, "practitioner"), all)

describe("NCCI pairs (coverage-domain §1.3)", () => {
  it.effect("are read below titles and a header of several lines, with dates and indicators", () =>
    Effect.gen(function* () {
      const { count, gaps, pairs, snapshot } = yield* pairsAt(pairsFile)
      expect([snapshot.kind, snapshot.sourceAsOf, count, gaps]).toEqual(["ncci_ptp", "2024-01-01", 11, []])
      expect(pairs.find((pair) => pair.column2 === "62321")).toEqual({
        column1: "62323",
        column2: "62321",
        service: "practitioner",
        effectiveDate: "2017-01-01",
        deletionDate: "2017-12-31",
        modifierIndicator: 9,
        rationale: "Edit made in error"
      })
      expect(new Set(pairs.map((pair) => pair.modifierIndicator))).toEqual(new Set([0, 1, 9]))
    })
  )

  it.live("are the same snapshot packed or not, and another one for other services", () =>
    Effect.gen(function* () {
      const plain = yield* readNcci(pairsFile, "practitioner")
      const packed = yield* writeEditFile(
        "edits.gz",
        gzipSync(yield* Effect.promise(() => readFile(pairsFile)))
      )
      const gzip = yield* readNcci(packed, "practitioner")
      expect(gzip.snapshotId).toBe(plain.snapshotId)
      expect((yield* all(gzip)).pairs).toEqual((yield* all(plain)).pairs)
      const hospital = yield* readNcci(pairsFile, "outpatient_hospital")
      expect(hospital.snapshotId).not.toBe(plain.snapshotId)
    })
  )

  it.live("that end before they begin are left out and counted", () =>
    Effect.gen(function* () {
      const path = yield* changeLine(pairsFile, 7, (line) => line.replace("\t*\t", "\t20141231\t"))
      const { count, gaps, pairs } = yield* pairsAt(path)
      expect([count, pairs.length]).toEqual([10, 10])
      expect(gaps).toEqual(["Pairs that end before they begin and were left out: 1."])
    })
  )

  it.live("are handed on in batches, so that no file has to fit in memory", () =>
    Effect.gen(function* () {
      const head = (yield* textOf(pairsFile)).split("\r\n").slice(0, 6)
      const codes = Array.from({ length: 12_001 }, (_, index) => String(10_000 + index))
      const lines = codes.map((code) => `${code}\t99213\t\t20200101\t*\t1\tAuthored`)
      const path = yield* writeEditFile("many.txt", [...head, ...lines].join("\n"))
      const { count, pairs, sizes } = yield* pairsAt(path)
      expect(count).toBe(12_001)
      expect(sizes).toEqual([pairsPerBatch, pairsPerBatch, 2_001])
      expect(pairs.map((pair) => pair.column1)).toEqual(codes)
    })
  )

  const faults: ReadonlyArray<Fault> = [
    [
      "a code that is none",
      8,
      (line) => line.replace("11720", "1172"),
      "its first column is no procedure code"
    ],
    [
      "another that is none",
      8,
      (line) => line.replace("G0127", "G127"),
      "its second column is no procedure code"
    ],
    [
      "a day that is none",
      8,
      (line) => line.replace("19980401", "19980431"),
      "its effective date is no date"
    ],
    [
      "an end that is neither",
      9,
      (line) => line.replace("19960101\t*", "19960101\t"),
      "its deletion date is neither a date nor an asterisk"
    ],
    [
      "an indicator that is none",
      9,
      (line) => line.replace("\t0\t", "\t2\t"),
      "its modifier indicator is none of 0, 1 and 9"
    ],
    [
      "a mark that is none",
      9,
      (line) => line.replace("\t*\t1996", "\tx\t1996"),
      "its third column is neither empty nor an asterisk"
    ],
    ["a line cut short", 17, (line) => line.slice(0, 11), "a pair has 6 or 7 cells between tabs, this line 2"]
  ]
  for (const [says, line, change, reason] of faults) {
    it.live(`with ${says} are refused by the line, before any is kept`, () =>
      Effect.gen(function* () {
        const source = yield* readNcci(yield* changeLine(pairsFile, line, change), "practitioner")
        const fault = yield* Effect.flip(Effect.provide(importing(source), library))
        expect(fault).toMatchObject({ _tag: "CmsFileMalformed", line, reason })
      })
    )
  }

  it.live("without a header, or without a pair, or of no file are refused", () =>
    Effect.gen(function* () {
      const text = yield* textOf(pairsFile)
      const lines = text.split("\r\n")
      const headless = yield* writeEditFile("a.txt", lines.slice(6).join("\n"))
      expect((yield* Effect.flip(pairsAt(headless))).reason).toMatch(/^no header of a table of pairs/)
      const bare = yield* writeEditFile("b.txt", lines.slice(0, 6).join("\n"))
      expect((yield* Effect.flip(pairsAt(bare))).reason).toBe("no line of it is a pair of codes")
      const binary = yield* writeEditFile("c.txt", new Uint8Array(20_000).fill(65))
      expect((yield* Effect.flip(pairsAt(binary))).reason).toBe("a line is longer than any real one")
      const missing = yield* Effect.flip(readNcci(fixture("ncci/none.txt"), "practitioner"))
      expect(missing).toMatchObject({ file: "none.txt", reason: "there is no such file or folder" })
    })
  )

  it.live("of a file that is replaced between two readings are no snapshot", () =>
    Effect.gen(function* () {
      const path = yield* changeLine(pairsFile, 1, (line) => line)
      const source = yield* readNcci(path, "practitioner")
      const text = yield* textOf(path)
      yield* Effect.promise(() => writeFile(path, text.replace("11055", "11056"), "latin1"))
      expect((yield* Effect.flip(source.read)).reason).toBe("it was changed while it was read")
    })
  )
})

const library = Layer.fresh(memoryLibrary)
const importing = <E>(source: EditSource<E>) => importEdits(source, () => Effect.void)

describe("importing edits (contract §4)", () => {
  it.effect("keeps them once, answers with them, and does nothing for the same bytes", () =>
    Effect.gen(function* () {
      const pairs = yield* readNcci(pairsFile, "practitioner")
      const { seconds, snapshot, ...report } = yield* importing(pairs)
      const rest = { policies: 0, versions: 0, changes: 0, gaps: [] }
      expect(report).toEqual({ ...rest, codes: 11, unchanged: false })
      expect([snapshot, seconds >= 0]).toEqual([pairs.snapshotId, true])
      expect(yield* importing(pairs)).toMatchObject({ codes: 0, unchanged: true })
      expect(yield* importing(yield* readMue(unitsFile, "practitioner"))).toMatchObject({ codes: 15 })
      const { pairs: found, units } = yield* (yield* ClaimEdits).among({
        codes: ["62323", "62322", "64493", "62321"],
        date: day("2026-03-01")
      })
      expect(found.map((pair) => [pair.column1, pair.column2, pair.modifierIndicator])).toEqual([
        ["62323", "62322", 0],
        ["62323", "64493", 1]
      ])
      expect(units.map((unit) => unit.code)).toEqual(["62321", "62322", "62323", "64493"])
    }).pipe(Effect.provide(library))
  )

  it.effect("reports its progress, and is finished by running it again after it was cut off", () =>
    Effect.gen(function* () {
      const source = yield* readNcci(pairsFile, "practitioner")
      const snapshots = yield* Snapshots
      const away = Snapshots.of({
        ...snapshots,
        complete: () => Effect.fail(new SnapshotsUnavailable({ fault: "unreachable" }))
      })
      yield* Effect.flip(Effect.provideService(importing(source), Snapshots, away))
      const seen: Array<ImportProgress> = []
      const report = yield* importEdits(source, (progress) => Effect.sync(() => void seen.push(progress)))
      expect(report).toMatchObject({ codes: 0, unchanged: false })
      expect(seen).toEqual([
        { stage: "reading", done: 0, total: 0 },
        { stage: "edits", done: 11, total: 11 }
      ])
    }).pipe(Effect.provide(library))
  )
})
