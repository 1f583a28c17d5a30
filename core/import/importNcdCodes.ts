import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { NcdCode } from "../coverage/NcdCode.ts"
import type { NcdCodesUnavailable } from "../port/NcdCodes.ts"
import { NcdCodes } from "../port/NcdCodes.ts"
import type { ImportReport } from "./ImportReport.ts"
import { secondsSince } from "./importPolicies.ts"

/** A list of NCDs and codes that was checked from its first line to its last. */
export interface NcdCodeSource {
  readonly snapshotId: string
  readonly rows: ReadonlyArray<NcdCode>
}

/**
 * Adds an operator's list to the shipped one (contract §4). The list is no snapshot: its rows are compared,
 * so the same file after another one that changed its rows is imported again.
 */
export const importNcdCodes = ({
  rows,
  snapshotId
}: NcdCodeSource): Effect.Effect<ImportReport, NcdCodesUnavailable, NcdCodes> =>
  Effect.gen(function* () {
    const startedMs = yield* Clock.currentTimeMillis
    const { written } = yield* (yield* NcdCodes).save({ origin: "imported", rows })
    return {
      snapshot: snapshotId,
      policies: 0,
      versions: 0,
      codes: written,
      changes: 0,
      unchanged: written === 0,
      seconds: yield* secondsSince(startedMs),
      gaps: []
    }
  })
