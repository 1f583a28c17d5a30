import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { forgottenMax, Idempotency } from "../port/Idempotency.ts"

/** How often old records are looked for; they are two days old, so an hour more is nothing. */
const sweepEvery = "1 hour"

/**
 * A store that is away is asked again with the next sweep; a full batch is followed by another at once, up to
 * this.
 */
const batchesMax = 1_000

/**
 * Forgets old idempotency records, batch after batch, for as long as the scope is open. Every process may run
 * it.
 */
export const sweeping: Effect.Effect<void, never, Idempotency | Scope.Scope> = Effect.gen(function* () {
  const sweep = yield* makeSweep
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(sweep, Effect.sleep(sweepEvery))))
})

/** One sweep; answers how many records were forgotten. */
export const makeSweep: Effect.Effect<Effect.Effect<number>, never, Idempotency> = Effect.gen(function* () {
  const { forget } = yield* Idempotency
  return Effect.gen(function* () {
    let forgotten = 0
    for (let batch = 0; batch < batchesMax; batch++) {
      const some = yield* forget
      forgotten += some
      if (some < forgottenMax) break
    }
    return forgotten
  }).pipe(
    Effect.catch(({ fault }) =>
      Effect.as(
        Effect.annotateLogs(Effect.logWarning("old idempotency records were not forgotten"), { fault }),
        0
      )
    )
  )
})
