import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DayUses } from "../port/DayUses.ts"
import type { LimitEntry } from "../port/Limits.ts"
import { Limits, LimitsUnavailable } from "../port/Limits.ts"

/** Reads under way beyond this many are not shared; each of them then serves one call. */
export const readingsMax = 10_000

/**
 * Limits that tell their store what a day has used, from the usage rows, wherever the store has not counted
 * that day from its beginning: after a start, a loss of its data, or a change of stores (contract §1, Limits
 * and money). The store is asked as before, and only what it does not know is read: once for a subject and
 * day, and never again while the store counts. The rows know no calls that are still under way, nor those
 * refused after step 5, so a rebuilt day is at most that much short and never too full.
 */
export const dailyUsageBackfill = <A, E, R>(
  limits: Layer.Layer<Limits | A, E, R>
): Layer.Layer<Limits | A, E, R | DayUses> =>
  Layer.effect(
    Limits,
    Effect.gen(function* () {
      const store = yield* Limits
      const readOnce = shareRead((yield* DayUses).read)
      const told = (entry: LimitEntry, day: number) =>
        readOnce({ subject: entry.subject, day }, (used) =>
          store.acquire({ ...entry, dayUse: { day, used } })
        )
      const enter = (entry: LimitEntry) =>
        Effect.flatMapEager(store.tryAcquire(entry), (said) =>
          said._tag === "DayUnknown" ? told(entry, said.day) : Effect.succeed(said)
        )
      return {
        acquire: (entry) => (entry.policy.perDay === null ? store.acquire(entry) : enter(entry)),
        tryAcquire: enter,
        release: store.release
      }
    })
  ).pipe(Layer.provideMerge(limits))

type Read = DayUses["Service"]["read"]
type Asked = Parameters<Read>[0]

interface DayRead {
  readonly used: Deferred.Deferred<number, LimitsUnavailable>
  waiting: number
  isDone: boolean
}

/**
 * Calls that wait for the same figure share one read, until the first of them has told the store: what the
 * store said before it was told may reach others later than the figure. The read is detached: a caller who
 * leaves ends nobody's.
 */
const shareRead = (readRows: Read) => {
  const readings = new Map<string, DayRead>()
  const read = (asked: Asked) =>
    Effect.mapError(readRows(asked), ({ fault }) => new LimitsUnavailable({ fault }))
  const begin = (name: string, asked: Asked) => {
    const reading: DayRead = { used: Deferred.makeUnsafe(), waiting: 0, isDone: false }
    readings.set(name, reading)
    const settle = Effect.onExit(read(asked), (exit) =>
      Effect.sync(() => {
        reading.isDone = true
        if (exit._tag === "Failure" || reading.waiting === 0) readings.delete(name)
        Deferred.doneUnsafe(reading.used, exit)
      })
    )
    return Effect.as(Effect.forkDetach(settle), reading)
  }
  return <A>(asked: Asked, tell: (used: number) => Effect.Effect<A, LimitsUnavailable>) =>
    Effect.gen(function* () {
      const name = `${asked.day} ${asked.subject}`
      const shared = readings.get(name)
      if (shared === undefined && readings.size >= readingsMax)
        return yield* Effect.flatMap(read(asked), tell)
      const reading = shared ?? (yield* begin(name, asked))
      return yield* Effect.acquireUseRelease(
        Effect.sync(() => void reading.waiting++),
        () => Effect.flatMap(Deferred.await(reading.used), tell),
        () =>
          Effect.sync(() => {
            reading.waiting--
            if (reading.isDone && readings.get(name) === reading) readings.delete(name)
          })
      )
    })
}
