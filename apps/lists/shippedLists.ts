import { join } from "node:path"
import * as Effect from "effect/Effect"
import { readNcdCodes } from "../../adapters/cms/readNcdCodes.ts"
import { readPriorAuth } from "../../adapters/cms/readPriorAuth.ts"
import { NcdCodes } from "../../core/port/NcdCodes.ts"
import { keepShippedPriorAuth } from "../../core/import/importPriorAuth.ts"

/** Where the lists lie that come with the service, in the formats that operators import. */
export const listsFolder = import.meta.dirname

/** A list that is malformed is a fault of ours: it dies. */
const keepPriorAuth = (path: string) =>
  Effect.flatMap(Effect.orDie(readPriorAuth(path)), keepShippedPriorAuth)

const keepNcdCodes = (path: string) =>
  Effect.gen(function* () {
    const { rows } = yield* Effect.orDie(readNcdCodes(path))
    yield* (yield* NcdCodes).save({ origin: "shipped", rows })
  })

/** Every list with the importer that keeps it where nothing newer is kept; a new one is a file and a row. */
export const shippedLists = [
  { file: "ncd-codes.csv", keep: keepNcdCodes },
  { file: "prior-auth/ASC.csv", keep: keepPriorAuth },
  { file: "prior-auth/DMEPOS.csv", keep: keepPriorAuth },
  { file: "prior-auth/OPD.csv", keep: keepPriorAuth },
  { file: "prior-auth/RSNAT.csv", keep: keepPriorAuth },
  { file: "prior-auth/WISeR.csv", keep: keepPriorAuth }
] as const

/** Brings what is kept up to the lists of this service; processes that start together may all do it. */
export const keepShippedLists = Effect.gen(function* () {
  for (const { file, keep } of shippedLists) yield* keep(join(listsFolder, file))
})
