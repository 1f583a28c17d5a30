import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Probes } from "../port/Probes.ts"
import { begin, observe } from "../status/Status.ts"
import type { Status } from "../status/Status.ts"

/** What happened between two looks and was over again was seen by nobody. */
const lookEvery = "1 second"

/**
 * Watches what the probes say for as long as the scope is open, and gives the status as of now to whoever
 * asks: no store is asked, then or by the watch.
 */
export const makeWatch = Effect.gen(function* () {
  const { read } = yield* Probes
  const looked = Effect.gen(function* () {
    const { database, cache, webhookWaitSeconds = null } = yield* read
    return { atMs: yield* Clock.currentTimeMillis, database, cache, webhookWaitSeconds }
  })
  let status: Status = begin(yield* looked)
  const look = Effect.map(looked, (seen) => {
    status = observe(status, seen)
    return status
  })
  yield* Effect.forkScoped(Effect.delay(Effect.repeat(look, Schedule.spaced(lookEvery)), lookEvery))
  return look
})
