import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import type { PolicyDocument } from "../coverage/Policy.ts"
import { codeCountOf } from "../coverage/view.ts"
import type { Snapshot, SnapshotKind, SnapshotsUnavailable } from "../port/Snapshots.ts"
import { Snapshots } from "../port/Snapshots.ts"
import type { ImportReport, OnProgress } from "./ImportReport.ts"
import { SnapshotOlder } from "./SnapshotOlder.ts"
import type { PolicyContents, PolicySource, SourcePolicy } from "./PolicySource.ts"

/**
 * Policies saved at once: each is a transaction of its own, and more only queue for the store's connections.
 */
const policiesAtOnce = 4

/**
 * Imports policies (§2.7, contract §4). A snapshot that is complete is not read again. Everything is read
 * before the first write; then each policy is saved in its own transaction, so an import that was cut off is
 * finished by running it again: what was kept is unchanged. History is accumulated: a policy that the source
 * no longer holds stays.
 */
export const importPolicies = <E>(
  source: PolicySource<E>,
  onProgress: OnProgress
): Effect.Effect<ImportReport, E | SnapshotOlder | SnapshotsUnavailable, Snapshots> =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const startedMs = yield* Clock.currentTimeMillis
    if (yield* snapshots.isComplete(source.snapshotId))
      return yield* unchangedReport(source.snapshotId, startedMs)
    yield* onProgress({ stage: "reading", done: 0, total: 0 })
    const contents = yield* source.read
    yield* refuseOlder(contents.snapshot)
    const at = DateTime.formatIso(yield* DateTime.now) as IsoTime
    const { snapshot, jurisdictions, payers = [] } = contents
    if (jurisdictions.length > 0) yield* snapshots.save({ _tag: "Jurisdictions", snapshot, jurisdictions })
    if (payers.length > 0) yield* snapshots.save({ _tag: "Payers", snapshot, payers })
    yield* saveDescriptions(contents)
    const tally = yield* saveAll(contents, { at, onProgress })
    yield* snapshots.complete({ snapshot, at })
    return {
      snapshot: source.snapshotId,
      policies: contents.policies.length,
      ...tally,
      unchanged: false,
      seconds: yield* secondsSince(startedMs),
      gaps: contents.gaps
    }
  })

/**
 * Kinds of which every snapshot speaks of all that the one before did. A file of payer policies does not:
 * one payer's may well be older than another's.
 */
const wholeKinds: ReadonlySet<SnapshotKind> = new Set(["mcd"])

/** Imported after a newer one, an older snapshot would record what was as what is. */
const refuseOlder = (snapshot: Snapshot) =>
  Effect.gen(function* () {
    if (!wholeKinds.has(snapshot.kind)) return
    const known = (yield* (yield* Snapshots).current).find((one) => one.kind === snapshot.kind)
    if (known === undefined || known.sourceAsOf <= snapshot.sourceAsOf) return
    return yield* new SnapshotOlder({ sourceAsOf: snapshot.sourceAsOf, knownAsOf: known.sourceAsOf })
  })

/** The report of an import that had nothing to do. */
export const unchangedReport = (snapshot: string, startedMs: number): Effect.Effect<ImportReport> =>
  Effect.map(secondsSince(startedMs), (seconds) => ({
    snapshot,
    policies: 0,
    versions: 0,
    codes: 0,
    changes: 0,
    unchanged: true,
    seconds,
    gaps: []
  }))

/** Seconds to the millisecond. */
export const secondsSince = (startedMs: number): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => (nowMs - startedMs) / 1000)

interface Tally {
  readonly versions: number
  readonly codes: number
  readonly changes: number
}

interface SaveProgress {
  readonly at: IsoTime
  readonly onProgress: OnProgress
}

const saveAll = (contents: PolicyContents, saving: SaveProgress) =>
  Effect.gen(function* () {
    const total = contents.policies.length
    const kept = { versions: 0, codes: 0, changes: 0, done: 0 }
    yield* Effect.forEach(
      contents.policies,
      (policy) =>
        Effect.flatMap(savePolicy(contents.snapshot, policy, saving.at), (one) => {
          kept.versions += one.versions
          kept.codes += one.codes
          kept.changes += one.changes
          kept.done += 1
          return saving.onProgress({ stage: "policies", done: kept.done, total })
        }),
      { concurrency: policiesAtOnce, discard: true }
    )
    return { versions: kept.versions, codes: kept.codes, changes: kept.changes }
  })

/** Descriptions of one transaction; a download has some 80,000. */
const descriptionsPerBatch = 5_000

const saveDescriptions = ({ descriptions = [], snapshot }: PolicyContents) =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    for (let from = 0; from < descriptions.length; from += descriptionsPerBatch) {
      const batch = descriptions.slice(from, from + descriptionsPerBatch)
      yield* snapshots.save({ _tag: "Descriptions", snapshot, descriptions: batch })
    }
  })

/** Older versions are history, laid down once and with the newest in one transaction. */
const savePolicy = (
  snapshot: Snapshot,
  policy: SourcePolicy,
  at: IsoTime
): Effect.Effect<Tally, SnapshotsUnavailable, Snapshots> =>
  Effect.gen(function* () {
    const documents: ReadonlyArray<PolicyDocument> = policy.versions.map((version) => version())
    const kept = yield* (yield* Snapshots).saveHistory({ snapshot, documents, at })
    const recorded = kept.filter((one) => one._tag === "Recorded")
    const newest = documents.at(-1)
    return {
      versions: recorded.length,
      codes: newest === undefined ? 0 : codeCountOf(newest),
      changes: recorded.filter((one) => one.changed).length
    }
  })
