import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Refusal } from "../error/Refusal.ts"
import { limitRefusal } from "../limit/headers.ts"
import type { LimitDecision } from "../limit/policy.ts"
import { Limits } from "../port/Limits.ts"
import type { LimitsUnavailable } from "../port/Limits.ts"
import type { Call, Step } from "./Call.ts"
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
      const entering = limits.enter(entry)
      // What is refused from memory took nothing, and waits for nothing.
      const atOnce = refusedAtOnce(entering)
      if (atOnce !== undefined) return Effect.succeed(refusedBy(call, atOnce))
      return Effect.acquireUseRelease(
        entering,
        (decision) => {
          if (decision._tag === "Refused") return Effect.succeed(refusedBy(call, decision))
          call.receipt = counted(decision)
          return next(call)
        },
        (decision) => (decision._tag === "Admitted" ? limits.leave(entry) : Effect.void)
      )
    }
)

type Refused = Extract<LimitDecision, { readonly _tag: "Refused" }>

const refusedAtOnce = (entering: Effect.Effect<LimitDecision, LimitsUnavailable>): Refused | undefined => {
  if (!Exit.isExit(entering)) return undefined
  const { value } = entering as Exit.Success<LimitDecision, LimitsUnavailable>
  return value?._tag === "Refused" ? value : undefined
}

const refusedBy = (call: Call, decision: Refused): Refusal => {
  call.receipt = counted(decision)
  return limitRefusal(decision)
}
