import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readPfs } from "../../adapters/cms/readPfs.ts"
import { importCodes } from "../../core/import/importCodes.ts"
import { Codes } from "../../core/port/Codes.ts"
import { fixture, folder } from "../kit/cmsFixtures.ts"
import { day } from "../kit/library.ts"
import { libraries } from "../kit/libraries.ts"

/** The relative value file with another conversion factor, under a name of its own. */
const schedule = Effect.fnUntraced(function* (name: string, factor: string, title = "") {
  const path = join(yield* folder, name)
  const text = yield* Effect.promise(() => readFile(fixture("pfs/PPRRVU2026_Jan.csv"), "latin1"))
  const titled = text.replace("January Release", `January Release${title}`)
  yield* Effect.promise(() => writeFile(path, titled.replaceAll(",33.0000", `,${factor}`), "latin1"))
  return path
})

const imported = (path: string) =>
  Effect.flatMap(readPfs(path), (source) => importCodes(source, () => Effect.void))

/** The conversion factor that answers, once the tables are read again. */
const answering = Effect.gen(function* () {
  yield* Effect.sleep("1100 millis")
  const [fee] = yield* (yield* Codes).fees({ codes: ["93922"], asOf: day("2026-06-01") })
  return [fee?.conversionFactor, fee?.conversionFactorKind, fee?.edition]
})

const nonQpp = ["PPRRVU2026_Jan_nonQPP.csv", "33.4009"] as const
const qpp = ["PPRRVU2026_Jan_QPP.csv", "33.5675"] as const

for (const [name, library] of libraries) {
  describe(`fee schedules of two conversion factors in ${name} (contract §4, import pfs)`, () => {
    it.live.each([
      ["first", [nonQpp, qpp]],
      ["last", [qpp, nonQpp]]
    ] as const)("prefer nonQPP when it is imported %s", ([, order]) =>
      Effect.gen(function* () {
        for (const [file, factor] of order) yield* imported(yield* schedule(file, factor))
        expect(yield* answering).toEqual([33.4009, "nonQPP", "2026"])
      }).pipe(Effect.scoped, Effect.provide(library))
    )

    it.live("answer by the QPP file alone, with its label and a warning at the import", () =>
      Effect.gen(function* () {
        const report = yield* imported(yield* schedule(...qpp))
        expect(report.gaps).toEqual([expect.stringContaining("qualifying APM participants (QPP)")])
        expect(yield* answering).toEqual([33.5675, "QPP", "2026"])
        expect((yield* imported(yield* schedule(...nonQpp))).gaps).toEqual([])
        expect(yield* answering).toEqual([33.4009, "nonQPP", "2026"])
      }).pipe(Effect.scoped, Effect.provide(library))
    )
  })
}

describe("the kind of a conversion factor", () => {
  const kindOf = (name: string, title: string) =>
    Effect.map(
      Effect.flatMap(schedule(name, "33", title), (path) =>
        Effect.flatMap(readPfs(path), (source) => source.read)
      ),
      ({ edition }) => edition?.conversionFactorKind
    )

  it.live("is read from the name, else from a title, and unstated in any other file", () =>
    Effect.gen(function* () {
      expect(yield* kindOf("PPRRVU26_JAN_nonqpp.csv", "")).toBe("nonQPP")
      expect(yield* kindOf("PPRRVU26_JAN_NON-QPP.csv", "")).toBe("nonQPP")
      expect(yield* kindOf("PPRRVU26_JAN_QPP.csv", " nonQPP")).toBe("QPP")
      expect(yield* kindOf("fees.csv", " Non QPP")).toBe("nonQPP")
      expect(yield* kindOf("PPRRVU26_JAN.csv", "")).toBeUndefined()
    }).pipe(Effect.scoped)
  )
})
