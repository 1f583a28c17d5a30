import * as Effect from "effect/Effect"
import { limitRefusal } from "../limit/headers.ts"
import { Limits } from "../port/Limits.ts"
import type { Step } from "./Call.ts"
import { counted } from "./Receipt.ts"

/**
 * Step 5: what follows runs in the concurrency slot, which is given back however it ends. Taking it and
 * giving it back cannot be cut off; what is between can, by the call's deadline.
 */
export const makeLimitsStep = Effect.map(
  Limits,
  (limits): Step =>
    (call, next) => {
      const entry = call.surface.limitEntry(call)
      if (entry === undefined) return next(call)
      return Effect.acquireUseRelease(
        limits.enter(entry),
        (decision) => {
          call.receipt = counted(decision)
          return decision._tag === "Admitted" ? next(call) : Effect.succeed(limitRefusal(decision))
        },
        (decision) => (decision._tag === "Admitted" ? limits.leave(entry) : Effect.void)
      )
    }
)
