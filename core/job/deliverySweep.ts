import * as Effect from "effect/Effect"
import { Attempts, forgottenDeliveriesMax, resumedMax } from "../port/Attempts.ts"
import { Jobs } from "../port/Jobs.ts"
import { inBatches, repeatForever } from "./repeatForever.ts"

/** How often deliveries without a job are looked for; `strandedMs` says when one is. */
const rescueEvery = "1 minute"

/** What is forgotten is a month old, or two days for jobs: an hour more is nothing. */
const forgetEvery = "1 hour"

/**
 * Rescues deliveries and forgets old ones, with the jobs done, for as long as the scope is open. Every
 * process may run it.
 */
export const sweepingDeliveries = Effect.gen(function* () {
  const { rescue, forget } = yield* Attempts
  const jobs = yield* Jobs
  const rescuing = inBatches(rescue, resumedMax)
  const forgetting = Effect.andThen(inBatches(forget, forgottenDeliveriesMax), jobs.forget)
  yield* Effect.forkScoped(repeatForever("lost deliveries were not looked for", rescuing, rescueEvery))
  yield* Effect.forkScoped(repeatForever("old deliveries were not forgotten", forgetting, forgetEvery))
})
