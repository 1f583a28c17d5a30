import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { IsoDate } from "../coverage/date.ts"
import { Snapshots } from "../port/Snapshots.ts"
import type { SnapshotsUnavailable } from "../port/Snapshots.ts"

/** Said on every coverage answer (contract §1). */
export const disclaimer = "Policy information only, not medical or legal advice and no guarantee of payment; "
  + "confirm with the payer's current documents."

export const coverageMeta = (dataAsOf: IsoDate | null) => ({ data_as_of: dataAsOf, disclaimer })

/** How old the snapshot's date may be: an import in another process shows within this time. */
const freshForMs = 1_000

/** The newest day that any complete snapshot speaks of; null before the first import. Read at most once a second. */
export const makeDataAsOf = Effect.gen(function*() {
  const snapshots = yield* Snapshots
  let known: { readonly atMs: number; readonly day: IsoDate | null } | undefined
  const read: Effect.Effect<IsoDate | null, SnapshotsUnavailable> = Effect.gen(function*() {
    const nowMs = yield* Clock.currentTimeMillis
    if (known !== undefined && nowMs - known.atMs < freshForMs) return known.day
    const days = (yield* snapshots.current).map((snapshot) => snapshot.sourceAsOf).sort()
    known = { atMs: nowMs, day: days.at(-1) ?? null }
    return known.day
  })
  return read
})
