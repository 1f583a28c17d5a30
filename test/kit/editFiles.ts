import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { EditSource } from "../../core/import/EditSource.ts"
import { fixture, folder } from "./cmsFixtures.ts"

/** The authored tables of edits. */
export const pairsFile = fixture("ncci/ccipra-v321r0-f1.txt")
export const unitsFile = fixture("mue/MCR_MUE_PractitionerServices_Eff_01-01-2026.csv")
export const suppliesFile = fixture("mue/MCR_MUE_DMESupplierServices_Eff_01-01-2026.txt")

/** Everything the source hands on, and what it says of it beforehand. */
export const all = <E>(source: EditSource<E>) =>
  Effect.gen(function* () {
    const contents = yield* source.read
    const batches = yield* Stream.runCollect(contents.batches)
    return {
      ...contents,
      sizes: batches.map(({ pairs, units }) => pairs.length + units.length),
      pairs: batches.flatMap(({ pairs }) => pairs),
      units: batches.flatMap(({ units }) => units)
    }
  })

/** A file of its own with this text. */
export const writeEditFile = Effect.fnUntraced(function* (name: string, text: string | Uint8Array) {
  const path = join(yield* folder, name)
  yield* Effect.promise(() => writeFile(path, text))
  return path
})

/** A file as it lies, one character a byte. */
export const textOf = (path: string) => Effect.promise(() => readFile(path, "latin1"))

/** The file with one line changed, counted from 1. */
export const changeLine = (file: string, line: number, change: (text: string) => string) =>
  Effect.flatMap(textOf(file), (text) =>
    writeEditFile(
      file.split("/").at(-1) ?? "",
      text
        .split("\n")
        .map((each, index) => (index === line - 1 ? change(each) : each))
        .join("\n")
    )
  )

/** A line that is changed for the worse, and what is said of it. */
export type Fault = readonly [says: string, line: number, change: (line: string) => string, reason: string]
