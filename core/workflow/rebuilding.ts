import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DayUsesUnavailable } from "../port/DayUses.ts"
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
export const rebuilding = <A, E, R>(
  limits: Layer.Layer<Limits | A, E, R>
): Layer.Layer<Limits | A, E, R | DayUses> =>
  Layer.effect(
    Limits,
    Effect.gen(function* () {
      const store = yield* Limits
      const readOnce = sharing((yield* DayUses).read)
      const told = (entry: LimitEntry, day: number) =>
        readOnce({ subject: entry.subject, day }).pipe(
          Effect.mapError(({ fault }) => new LimitsUnavailable({ fault })),
          Effect.flatMap((used) => store.enter({ ...entry, dayUse: { day, used } }))
        )
      const enter = (entry: LimitEntry) =>
        Effect.flatMap(store.attempt(entry), (said) =>
          said._tag === "DayUnknown" ? told(entry, said.day) : Effect.succeed(said)
        )
      return {
        enter: (entry) => (entry.policy.perDay === null ? store.enter(entry) : enter(entry)),
        attempt: enter,
        leave: store.leave
      }
    })
  ).pipe(Layer.provideMerge(limits))

type Read = DayUses["Service"]["read"]

/** Calls that wait for the same figure share one read. It is detached: a caller who leaves ends nobody's. */
const sharing = (read: Read): Read => {
  const readings = new Map<string, Deferred.Deferred<number, DayUsesUnavailable>>()
  return (asked) =>
    Effect.suspend(() => {
      const name = `${asked.day} ${asked.subject}`
      const reading = readings.get(name)
      if (reading !== undefined) return Deferred.await(reading)
      if (readings.size >= readingsMax) return read(asked)
      const answer = Deferred.makeUnsafe<number, DayUsesUnavailable>()
      readings.set(name, answer)
      const settle = Effect.onExit(read(asked), (exit) =>
        Effect.sync(() => {
          readings.delete(name)
          Deferred.doneUnsafe(answer, exit)
        })
      )
      return Effect.andThen(Effect.forkDetach(settle), Deferred.await(answer))
    })
}
