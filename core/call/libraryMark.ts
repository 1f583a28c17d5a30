import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { IsoDate } from "../coverage/date.ts"
import type { Surface } from "../operation/Operation.ts"
import { datingKinds, Snapshots } from "../port/Snapshots.ts"
import type { SnapshotsUnavailable } from "../port/Snapshots.ts"

/** Said on every coverage answer (contract §1). */
const disclaimers: Readonly<Record<Surface, string>> = {
  live:
    "Policy information only, not medical or legal advice and no guarantee of payment; " +
    "confirm with the payer's current documents.",
  sandbox:
    "Synthetic fixtures of the sandbox: no real policy, code or payer, and not medical or legal advice."
}

/** Where the library stands: what was made of it under a generation is right while the generation stands. */
export interface LibraryMark {
  readonly generation: number
  /** Whether the generation has stood for so long that nothing older is still remembered anywhere. */
  readonly settled: boolean
  /** The newest day that a complete snapshot of policies or codes speaks of; null before the first import. */
  readonly dataAsOf: IsoDate | null
}

export const coverageMeta = ({ dataAsOf }: LibraryMark, surface: Surface) => ({
  data_as_of: dataAsOf,
  disclaimer: disclaimers[surface]
})

/** How long a mark is taken for the present one, by every call of the process. */
const freshForMs = 200

/**
 * An adapter may answer from a memory of up to a second (jurisdictions). Only when a generation has stood for
 * longer than that is what is read under it surely of it, and may be kept for as long as it stands. The one
 * that a process begins with is older than anything that it remembers.
 */
const settlesInMs = 2_000

/** Reads the mark at most five times a second, however many calls need it; an Exit where it is known. */
export const makeLibraryMark = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  const clock = yield* Clock.Clock
  // Read before there is a call that an adapter could remember anything of, so this one has settled.
  const first = yield* Effect.orElseSucceed(snapshots.generation, () => undefined)
  let known: { readonly atMs: number; readonly sinceMs: number; readonly mark: LibraryMark } | undefined
  const read = Effect.fnUntraced(function* (nowMs: number) {
    const generation = yield* snapshots.generation
    const dating = (yield* snapshots.current).filter((snapshot) => datingKinds.has(snapshot.kind))
    const days = dating.map((snapshot) => snapshot.sourceAsOf).sort()
    const newSinceMs = generation === first ? Number.NEGATIVE_INFINITY : nowMs
    const sinceMs = known?.mark.generation === generation ? known.sinceMs : newSinceMs
    const mark = { generation, settled: nowMs - sinceMs >= settlesInMs, dataAsOf: days.at(-1) ?? null }
    known = { atMs: nowMs, sinceMs, mark }
    return mark
  })
  return (): Effect.Effect<LibraryMark, SnapshotsUnavailable> => {
    const nowMs = clock.currentTimeMillisUnsafe()
    const fresh = known !== undefined && nowMs >= known.atMs && nowMs - known.atMs < freshForMs
    return fresh && known !== undefined ? Effect.succeed(known.mark) : read(nowMs)
  }
})
