import { join } from "node:path"
import * as Effect from "effect/Effect"
import { readNcdCodes } from "../../adapters/cms/readNcdCodes.ts"
import { NcdCodes } from "../../core/port/NcdCodes.ts"

/** The list from NCDs to codes that the service ships. */
export const ncdCodesPath = join(import.meta.dirname, "ncd-codes.csv")

/**
 * Makes the store hold the shipped list. Any number of processes may do so together, and where the store
 * holds it already nothing is written. A malformed list is a fault of ours: it dies.
 */
export const shipNcdCodes = Effect.orDie(readNcdCodes(ncdCodesPath)).pipe(
  Effect.flatMap(({ rows }) =>
    Effect.flatMap(NcdCodes, (ncdCodes) => ncdCodes.save({ origin: "shipped", rows }))
  )
)
