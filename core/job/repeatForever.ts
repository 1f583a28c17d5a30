import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { StoreFault } from "../error/StoreFault.ts"

/** A full batch is followed by another at once, up to this; the rest waits for the next time. */
export const batchesMax = 1_000

/** Any port's `…Unavailable`. */
interface Away {
  readonly fault: StoreFault
}

/** A batch at the present time, again and again for as long as one is full. */
export const inBatches = <E, R>(batch: (nowMs: number) => Effect.Effect<number, E, R>, full: number) =>
  Effect.repeat(Effect.flatMap(Clock.currentTimeMillis, batch), {
    while: (some) => some >= full,
    times: batchesMax
  })

/** Done at once and then every so often, without end; an unavailable store is asked again the next time. */
export const repeatForever = <A, R>(
  sentence: string,
  effect: Effect.Effect<A, Away, R>,
  every: Duration.Input
): Effect.Effect<void, never, R> =>
  Effect.asVoid(Effect.repeat(complained(sentence, effect), Schedule.spaced(every)))

/** The same, the first time after as long: a start is not slowed by it. */
export const repeatAfterDelay = <A, R>(
  sentence: string,
  effect: Effect.Effect<A, Away, R>,
  every: Duration.Input
): Effect.Effect<void, never, R> => Effect.delay(repeatForever(sentence, effect, every), every)

const complained = <A, R>(sentence: string, effect: Effect.Effect<A, Away, R>) =>
  Effect.catch(Effect.asVoid(effect), ({ fault }) =>
    Effect.annotateLogs(Effect.logWarning(sentence), { fault })
  )
