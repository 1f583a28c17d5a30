import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DayUnknown } from "../../core/limit/enter.ts"
import type { LimitDecision } from "../../core/limit/policy.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { Limits, LimitsUnavailable } from "../../core/port/Limits.ts"
import { batchSize, storeSeconds } from "../../core/workflow/meters.ts"
import { batching, serverClock } from "./batching.ts"
import type { BatchMeter } from "./batching.ts"
import { Redis } from "./Redis.ts"

/**
 * Whose clock decides: the server's TIME, one for all processes, or the caller's own, which the laws move.
 */
export interface LimitsClock {
  readonly clock: "server" | "caller"
}

/**
 * The limits shared by every process (§8.1). Calls made in the same turn of the event loop go to the server
 * as one script call. `leave` is sent and not awaited: commands keep their order on the connection, so a
 * later `enter` of this process sees it, and a slot whose `leave` was lost ends with its lease.
 */
export const layer = (options: LimitsClock): Layer.Layer<Limits, never, Redis> =>
  Layer.effect(
    Limits,
    Effect.gen(function* () {
      const batch = batching(yield* Redis, yield* metering)
      yield* Effect.addFinalizer(() => Effect.sync(batch.flush))
      const decide = (entry: LimitEntry, verb: "enter" | "attempt") =>
        Effect.clockWith((clock) => {
          const clockMs = options.clock === "caller" ? clock.currentTimeMillisUnsafe() : serverClock
          return Effect.callback<LimitDecision | DayUnknown, LimitsUnavailable>((resume) => {
            batch.enter({ entry, clockMs, verb, answer: (answer) => resume(Effect.fromResult(answer)) })
          })
        })
      return {
        enter: (entry) => Effect.flatMap(decide(entry, "enter"), known),
        attempt: (entry) => decide(entry, "attempt"),
        leave: (entry) => Effect.sync(() => batch.leave(entry))
      }
    })
  )

// The script answers so only where the day must be known.
const known = (said: LimitDecision | DayUnknown): Effect.Effect<LimitDecision, LimitsUnavailable> =>
  said._tag === "DayUnknown" ? Effect.fail(new LimitsUnavailable({ fault: "refused" })) : Effect.succeed(said)

const metering = Effect.clockWith((clock) =>
  Effect.map(
    Effect.context<never>(),
    (context): BatchMeter =>
      (size) => {
        const startedNs = clock.currentTimeNanosUnsafe()
        return () => {
          if (size > 0) sizes.updateUnsafe(size, context)
          seconds.updateUnsafe(Number(clock.currentTimeNanosUnsafe() - startedNs) / 1e9, context)
        }
      }
  )
)
const sizes = batchSize({ store: "limits" })
const seconds = storeSeconds({ store: "limits" })
