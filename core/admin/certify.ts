import * as DateTime from "effect/DateTime"
import * as Hex from "effect/encoding/Hex"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { IsoDate, IsoTime } from "../coverage/date.ts"
import type { PolicyId } from "../coverage/Policy.ts"
import { Crypto } from "../port/Crypto.ts"
import type { PoliciesUnavailable } from "../port/Policies.ts"
import { Policies } from "../port/Policies.ts"
import type { ReleasesUnavailable } from "../port/Releases.ts"
import { Releases } from "../port/Releases.ts"
import { Signatures } from "../port/Signatures.ts"
import { datingKinds, Snapshots } from "../port/Snapshots.ts"
import type { Snapshot, SnapshotsUnavailable } from "../port/Snapshots.ts"
import type { Manifest, Source } from "../release/manifest.ts"
import { manifestOf, manifestText, releaseIdOf } from "../release/manifest.ts"
import { emptyFrontier, appendEntries, rootOf } from "../release/merkle.ts"
import { decisionsOf } from "../release/record.ts"
import type { Release } from "../release/Release.ts"
import { releaseDays } from "../release/Release.ts"
import type { Sha256 } from "../release/ReleaseId.ts"
import type { OnProgress } from "../import/ImportReport.ts"

/** There is nothing that a release could hold. */
export class NothingToCertify extends Schema.TaggedError<NothingToCertify>()("NothingToCertify", {
  /**
   * `imports`: no snapshot is complete. `later_sources`: the day is after what any of them speaks of.
   * `decisions`: no policy in force on the day lists a code.
   */
  lacks: Schema.Literals(["imports", "later_sources", "decisions"])
}) {}

/** What somebody who certifies decides about the release. */
export interface ReleaseRequest {
  readonly origin: Manifest["origin"]
  /** Null: the newest day that what was imported speaks of. */
  readonly sourceAsOf: IsoDate | null
  /** Null: so many days after now, by the kernel's table. */
  readonly expiresAt: IsoTime | null
}

/** What certifying came to; a release that is known already stays as it was. */
export interface CertifyReport {
  readonly release: Release
  readonly isNew: boolean
}

/** Versions of one page; a document may list ten thousand codes. */
const versionsAtOnce = 16

const dayMs = 86_400_000

/**
 * Derives a decision of every code that a policy in force on the day lists, and keeps them as a release
 * (§4.5, coverage-domain §2.2). All that is read is of one instant; of what is derived only hashes stay in
 * memory.
 */
export const certify = (input: ReleaseRequest, onProgress: OnProgress) =>
  Effect.gen(function* () {
    const { completed } = yield* Snapshots
    const { inForce } = yield* Policies
    const { sha256, sha256Hex } = yield* Crypto
    const newest = newestDay(yield* completed)
    if (newest === undefined) return yield* new NothingToCertify({ lacks: "imports" })
    const sourceAsOf = input.sourceAsOf ?? newest
    if (sourceAsOf > newest) return yield* new NothingToCertify({ lacks: "later_sources" })
    const sign = yield* (yield* Signatures).signer
    const counted = { policies: 0, decisions: 0 }

    const policies = Stream.paginate(null as PolicyId | null, (after) =>
      Effect.gen(function* () {
        const versions = yield* inForce({ asOf: sourceAsOf, after, limit: versionsAtOnce })
        const derived = versions
          .map((version) => decisionsOf(sha256Hex, version))
          .filter(({ codes }) => codes.length > 0)
        counted.policies += derived.length
        counted.decisions += derived.reduce((sum, { codes }) => sum + codes.length, 0)
        yield* onProgress({ stage: "decisions", done: counted.decisions, total: 0 })
        const last = versions.length < versionsAtOnce ? undefined : versions.at(-1)?.policy.policyId
        return [derived, Option.fromUndefinedOr(last)] as const
      })
    )

    const certificate = Effect.fnUntraced(function* (hashes: Stream.Stream<Sha256, ReleasesUnavailable>) {
      let tree = emptyFrontier
      yield* Stream.runForEachArray(hashes, (some) =>
        Effect.sync(() => {
          tree = appendEntries(sha256, tree, some.map(bytesOf))
        })
      )
      if (tree.size === 0) return yield* new NothingToCertify({ lacks: "decisions" })
      const manifest = manifestOf(sha256Hex, {
        origin: input.origin,
        sourceAsOf,
        sources: (yield* completed).map(sourceOf),
        datasetSha256: Hex.encode(rootOf(sha256, tree)),
        ...counted
      })
      const now = yield* DateTime.now
      const certifiedAt = isoTime(now.epochMilliseconds)
      const expiresAt = input.expiresAt ?? isoTime(now.epochMilliseconds + releaseDays * dayMs)
      const signature = yield* sign({ manifest: manifestText(manifest), certifiedAt, expiresAt })
      return { releaseId: releaseIdOf(sha256Hex, manifest), manifest, certifiedAt, expiresAt, signature }
    })

    return yield* (yield* Releases).save<Faults, never>({ policies, certificate })
  })

type Faults = NothingToCertify | PoliciesUnavailable | SnapshotsUnavailable

const newestDay = (snapshots: ReadonlyArray<Snapshot>): IsoDate | undefined =>
  snapshots
    .filter(({ kind }) => datingKinds.has(kind))
    .map(({ sourceAsOf }) => sourceAsOf)
    .toSorted()
    .at(-1)

const sourceOf = ({ kind, snapshotId, sourceAsOf }: Snapshot): Source => ({
  kind,
  source_as_of: sourceAsOf,
  sha256: snapshotId
})

const bytesOf = (hex: string): Uint8Array => Result.getOrElse(Hex.decode(hex), () => new Uint8Array(0))

const isoTime = (ms: number): IsoTime => DateTime.formatIso(DateTime.makeUnsafe(ms)) as IsoTime
