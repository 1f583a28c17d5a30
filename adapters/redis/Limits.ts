import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LimitDecision } from "../../core/limit/policy.ts"
import type { LimitsUnavailable } from "../../core/port/Limits.ts"
import { Limits } from "../../core/port/Limits.ts"
import { batching, serverClock } from "./batching.ts"
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
      const batch = batching(yield* Redis)
      yield* Effect.addFinalizer(() => Effect.sync(batch.flush))
      return {
        enter: (entry) =>
          Effect.clockWith((clock) => {
            const clockMs = options.clock === "caller" ? clock.currentTimeMillisUnsafe() : serverClock
            return Effect.callback<LimitDecision, LimitsUnavailable>((resume) => {
              batch.enter({ entry, clockMs, answer: (answer) => resume(Effect.fromResult(answer)) })
            })
          }),
        leave: (entry) => Effect.sync(() => batch.leave(entry))
      }
    })
  )
