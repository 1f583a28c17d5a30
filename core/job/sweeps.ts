import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { forgottenMax, Idempotency } from "../port/Idempotency.ts"
import { Ledger } from "../port/Ledger.ts"
import { rollUpBatchMax, Usage } from "../port/Usage.ts"
import { batchesMax, inBatches, repeatForever } from "./repeatForever.ts"

/** How often open charges are looked at: with `silentSweeps` a process is given up after half a minute. */
const openChargesEvery = "5 seconds"

/** How far behind its calls the usage page is: each line is written once in that time, whatever its calls. */
const rollUpEvery = "20 seconds"

/** How often old records are looked for; they are two days old, so an hour more is nothing. */
const sweepEvery = "1 hour"

/**
 * Forgets old idempotency records, batch after batch, for as long as the scope is open. Every process may run
 * it.
 */
export const idempotencySweep: Effect.Effect<void, never, Idempotency | Scope.Scope> = Effect.gen(
  function* () {
    const sweep = yield* makeSweep
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(sweepEvery)))
  }
)

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

/**
 * Refunds charges whose call never answered (contract §1), for as long as the scope is open. Every process
 * runs it.
 */
export const sweepingCharges: Effect.Effect<void, never, Ledger | Scope.Scope> = Effect.gen(function* () {
  const { sweep } = yield* Ledger
  const swept = Effect.tap(sweep, (refunds) =>
    refunds === 0
      ? Effect.void
      : Effect.annotateLogs(Effect.logWarning("calls that never answered were refunded"), { refunds })
  )
  yield* Effect.forkScoped(repeatForever("open charges were not swept", swept, openChargesEvery))
})

/** Sums usage for its page, for as long as the scope is open. Every process may run it. */
export const usageRollUp: Effect.Effect<void, never, Usage | Scope.Scope> = Effect.gen(function* () {
  const { gather } = yield* Usage
  const gathered = inBatches(() => gather, rollUpBatchMax)
  yield* Effect.forkScoped(repeatForever("usage was not summed", gathered, rollUpEvery))
})
