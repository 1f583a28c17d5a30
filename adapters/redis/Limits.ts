import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LimitsUnavailable } from "../../core/port/Limits.ts"
import { Limits } from "../../core/port/Limits.ts"
import { batchSize, storeSeconds } from "../../core/workflow/meters.ts"
import { batching } from "./batching.ts"
import type { BatchMeter } from "./batching.ts"
import { serverClock } from "./enter.lua.ts"
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
      const by = <A>(decide: (clockMs: number) => Effect.Effect<A, LimitsUnavailable>) =>
        options.clock === "server"
          ? decide(serverClock)
          : Effect.clockWith((clock) => decide(clock.currentTimeMillisUnsafe()))
      return {
        enter: (entry) =>
          by((clockMs) =>
            Effect.callback((answer) => batch.enter({ entry, clockMs, verb: "enter", answer }))
          ),
        attempt: (entry) =>
          by((clockMs) =>
            Effect.callback((answer) => batch.enter({ entry, clockMs, verb: "attempt", answer }))
          ),
        leave: (entry) => Effect.sync(() => batch.leave(entry))
      }
    })
  )

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
