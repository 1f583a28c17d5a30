import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { CodeRecord } from "../coverage/Code.ts"
import type { IsoDate, IsoTime } from "../coverage/date.ts"
import { datedEdition } from "../coverage/edition.ts"
import type { CodesUnavailable } from "../port/Codes.ts"
import { Codes } from "../port/Codes.ts"
import type { Snapshot, SnapshotsUnavailable } from "../port/Snapshots.ts"
import { Snapshots } from "../port/Snapshots.ts"
import type { CodeContents, CodeSource } from "./CodeSource.ts"
import type { ImportReport, OnProgress } from "./ImportReport.ts"
import { secondsSince, unchangedReport } from "./importPolicies.ts"

/** Codes saved in one transaction: large enough that commits do not matter, small enough to show progress. */
export const codesPerBatch = 1_000

/**
 * Imports one edition of a code set (contract §4). A snapshot that is complete is not read again; an import
 * that was cut off is finished by running it again. Codes that the edition no longer lists have ended, unless
 * a newer edition is known: an older one that is imported late ends nothing.
 */
export const importCodes = <E>(
  source: CodeSource<E>,
  onProgress: OnProgress
): Effect.Effect<ImportReport, E | SnapshotsUnavailable | CodesUnavailable, Snapshots | Codes> =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const startedMs = yield* Clock.currentTimeMillis
    if (yield* snapshots.isComplete(source.snapshotId))
      return yield* unchangedReport(source.snapshotId, startedMs)
    yield* onProgress({ stage: "reading", done: 0, total: 0 })
    const contents = yield* source.read
    const at = DateTime.formatIso(yield* DateTime.now) as IsoTime
    const written = yield* saveBatches(contents, onProgress)
    const ended = yield* endUnlisted(contents)
    const valued = yield* saveFees(contents)
    const { edition = null, snapshot } = contents
    yield* snapshots.complete({ snapshot, edition, at })
    return {
      snapshot: source.snapshotId,
      policies: 0,
      versions: 0,
      codes: written + ended + valued,
      changes: 0,
      unchanged: false,
      seconds: yield* secondsSince(startedMs),
      gaps: contents.gaps
    }
  })

const saveBatches = ({ snapshot, codeSystem, codes }: CodeContents, onProgress: OnProgress) =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const known = (yield* snapshots.current).find((one) => one.kind === snapshot.kind)
    let written = 0
    for (let from = 0; from < codes.length; from += codesPerBatch) {
      const batch = codes.slice(from, from + codesPerBatch)
      const news =
        codeSystem === null
          ? yield* unknownOf(batch)
          : known === undefined
            ? batch
            : yield* newsOf(batch, { snapshot, knownAsOf: known.sourceAsOf })
      if (news.length > 0)
        written += (yield* snapshots.save({ _tag: "Codes", snapshot, codes: news })).written
      yield* onProgress({ stage: "codes", done: from + batch.length, total: codes.length })
    }
    return written
  })

/**
 * Those of a batch that no source has named yet. A file that is no code table, such as a fee schedule, makes
 * codes known and says nothing of when they began.
 */
const unknownOf = (batch: ReadonlyArray<CodeRecord>) =>
  Effect.gen(function* () {
    const known = yield* keptOf(batch)
    return batch.filter((record) => !known.has(`${record.codeSystem} ${record.code}`))
  })

const keptOf = (batch: ReadonlyArray<CodeRecord>) =>
  Effect.gen(function* () {
    const codes = batch.map((record) => record.code)
    const kept = yield* (yield* Codes).find({ codes, codeSystem: null, asOf: newestDay })
    return new Map(kept.map((record) => [`${record.codeSystem} ${record.code}`, record]))
  })

/** What a batch says that is not known; records without a date get the day of their file. */
const newsOf = (
  batch: ReadonlyArray<CodeRecord>,
  { snapshot, knownAsOf }: { readonly snapshot: Snapshot; readonly knownAsOf: IsoDate }
) =>
  Effect.gen(function* () {
    const undated = batch.filter((record) => record.effectiveDate === null)
    if (undated.length === 0) return batch
    const previous = yield* keptOf(undated)
    return batch.flatMap(
      (record) =>
        datedEdition(record, {
          previous: previous.get(`${record.codeSystem} ${record.code}`),
          knownAsOf,
          day: snapshot.sourceAsOf
        }) ?? []
    )
  })

/** After every edition that can have been kept. */
const newestDay = "9999-12-31" as IsoDate

const endUnlisted = ({ snapshot, codeSystem, codes }: CodeContents) =>
  Effect.gen(function* () {
    if (codeSystem === null) return 0
    const snapshots = yield* Snapshots
    const known = (yield* snapshots.current).find((one) => one.kind === snapshot.kind)
    if (known !== undefined && known.sourceAsOf > snapshot.sourceAsOf) return 0
    const listed = new Set(codes.filter((code) => code.codeSystem === codeSystem).map((code) => code.code))
    return (yield* snapshots.save({ _tag: "UnlistedCodes", snapshot, codeSystem, listed })).written
  })

/** Kept under their snapshot, so that none is read before the file is whole. */
const saveFees = ({ fees = [], snapshot }: CodeContents) =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    let written = 0
    for (let from = 0; from < fees.length; from += codesPerBatch) {
      const batch = fees.slice(from, from + codesPerBatch)
      written += (yield* snapshots.save({ _tag: "Fees", snapshot, fees: batch })).written
    }
    return written
  })
