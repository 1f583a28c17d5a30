import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Attempts, forgottenDeliveriesMax, resumedMax } from "../../port/Attempts.ts"
import { Jobs } from "../../port/Jobs.ts"
import type { StoreFault } from "../../port/StoreFault.ts"

/** How often deliveries without a job are looked for; `strandedMs` says when one is. */
const rescueEvery = "1 minute"

/** What is forgotten is a month old, or two days for jobs: an hour more is nothing. */
const forgetEvery = "1 hour"

/** A full batch is followed by another at once, up to this; the rest waits for the next time. */
const batchesMax = 1_000

/**
 * Rescues deliveries and forgets old ones, with the jobs done, for as long as the scope is open. Every
 * process may run it.
 */
export const sweepingDeliveries = Effect.gen(function* () {
  const { rescue, forget } = yield* Attempts
  const jobs = yield* Jobs
  const rescuing = inBatches(rescue, resumedMax)
  const forgetting = Effect.andThen(inBatches(forget, forgottenDeliveriesMax), jobs.forget)
  yield* Effect.forkScoped(repeated("lost deliveries were not looked for", rescuing, rescueEvery))
  yield* Effect.forkScoped(repeated("old deliveries were not forgotten", forgetting, forgetEvery))
})

const inBatches = <E>(batch: (nowMs: number) => Effect.Effect<number, E>, many: number) =>
  Effect.repeat(Effect.flatMap(Clock.currentTimeMillis, batch), {
    while: (rows) => rows >= many,
    times: batchesMax
  })

const repeated = <A>(
  sentence: string,
  effect: Effect.Effect<A, { readonly fault: StoreFault }>,
  every: typeof rescueEvery | typeof forgetEvery
) =>
  Effect.catch(Effect.asVoid(effect), ({ fault }) =>
    Effect.annotateLogs(Effect.logWarning(sentence), { fault })
  ).pipe(Effect.andThen(Effect.sleep(every)), Effect.forever)
