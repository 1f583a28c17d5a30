import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import type { PolicyDocument } from "../coverage/Policy.ts"
import { codeCountOf } from "../coverage/view.ts"
import type { PoliciesUnavailable } from "../port/Policies.ts"
import { Policies } from "../port/Policies.ts"
import type { Snapshot, SnapshotsUnavailable } from "../port/Snapshots.ts"
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
): Effect.Effect<
  ImportReport,
  E | SnapshotOlder | SnapshotsUnavailable | PoliciesUnavailable,
  Snapshots | Policies
> =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const startedMs = yield* Clock.currentTimeMillis
    if (yield* snapshots.isComplete(source.snapshotId)) return yield* unchanged(source.snapshotId, startedMs)
    yield* onProgress({ stage: "reading", done: 0, total: 0 })
    const contents = yield* source.read
    yield* refuseOlder(contents.snapshot)
    const at = DateTime.formatIso(yield* DateTime.now) as IsoTime
    const { snapshot, jurisdictions } = contents
    if (jurisdictions.length > 0) yield* snapshots.saveJurisdictions({ snapshot, jurisdictions, at })
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

/** Imported after a newer one, an older snapshot would record what was as what is. */
const refuseOlder = (snapshot: Snapshot) =>
  Effect.gen(function* () {
    const known = (yield* (yield* Snapshots).current).find((one) => one.kind === snapshot.kind)
    if (known === undefined || known.sourceAsOf <= snapshot.sourceAsOf) return
    return yield* new SnapshotOlder({ sourceAsOf: snapshot.sourceAsOf, knownAsOf: known.sourceAsOf })
  })

/** The report of an import that had nothing to do. */
export const unchanged = (snapshot: string, startedMs: number): Effect.Effect<ImportReport> =>
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

interface Saving {
  readonly at: IsoTime
  readonly onProgress: OnProgress
}

const saveAll = (contents: PolicyContents, saving: Saving) =>
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

/**
 * Older versions are history to be laid down once: a policy that is known already is only told of the newest.
 */
const savePolicy = (
  snapshot: Snapshot,
  policy: SourcePolicy,
  at: IsoTime
): Effect.Effect<Tally, SnapshotsUnavailable | PoliciesUnavailable, Snapshots | Policies> =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const history = policy.versions.length > 1 ? yield* (yield* Policies).history(policy.policyId) : []
    const tally = { versions: 0, codes: 0, changes: 0 }
    for (const version of history.length > 0 ? policy.versions.slice(-1) : policy.versions) {
      const document: PolicyDocument = version()
      const kept = yield* snapshots.savePolicy({ snapshot, document, at })
      tally.codes = codeCountOf(document)
      tally.versions += kept._tag === "Recorded" ? 1 : 0
      tally.changes += kept._tag === "Recorded" && kept.changed ? 1 : 0
    }
    return tally
  })
