import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { IsoTime } from "../coverage/date.ts"
import type { SnapshotsUnavailable } from "../port/Snapshots.ts"
import { Snapshots } from "../port/Snapshots.ts"
import type { EditSource } from "./EditSource.ts"
import type { ImportReport, OnProgress } from "./ImportReport.ts"
import { secondsSince, unchangedReport } from "./importPolicies.ts"

/**
 * Imports a table of NCCI edits (coverage-domain §1.3). A snapshot that is complete is not read again. Every
 * line is checked before the first is kept; then they are kept batch by batch, each in its own transaction,
 * and an import that was cut off is finished by running it again. An edit that a later table ends is ended;
 * one that it leaves out stays, because CMS publishes the pairs in several files.
 */
export const importEdits = <E>(
  source: EditSource<E>,
  onProgress: OnProgress
): Effect.Effect<ImportReport, E | SnapshotsUnavailable, Snapshots> =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const startedMs = yield* Clock.currentTimeMillis
    if (yield* snapshots.isComplete(source.snapshotId))
      return yield* unchangedReport(source.snapshotId, startedMs)
    yield* onProgress({ stage: "reading", done: 0, total: 0 })
    const { batches, count, gaps, skippedRows, snapshot } = yield* source.read
    const at = DateTime.formatIso(yield* DateTime.now) as IsoTime
    let [written, done] = [0, 0]
    yield* Stream.runForEach(batches, (edits) =>
      Effect.gen(function* () {
        written += (yield* snapshots.save({ _tag: "Edits", snapshot, ...edits })).written
        done += edits.pairs.length + edits.units.length
        yield* onProgress({ stage: "edits", done, total: count })
      })
    )
    yield* snapshots.complete({ snapshot, at })
    return {
      snapshot: source.snapshotId,
      policies: 0,
      versions: 0,
      codes: written,
      changes: 0,
      unchanged: false,
      seconds: yield* secondsSince(startedMs),
      ...(skippedRows === undefined ? {} : { skippedRows }),
      gaps
    }
  })
