import * as Effect from "effect/Effect"
import type { Provoked } from "../admission/gates.ts"
import { limitRefusal, showLimits } from "../limit/headers.ts"
import { Limits } from "../port/Limits.ts"
import type { LimitEntry } from "../port/Limits.ts"
import type { Unavailable } from "./Handler.ts"
import { refuse } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"

/** Lets the deadline interrupt what is inside; around it nothing may be cut off. */
export type Restore = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Step 5: `inside` runs in the concurrency slot, and the limits' headers are on every answer from here on. A
 * refusal that was provoked is shown like any other and counts nothing.
 *
 * From the slot on nothing is cut off but what `inside` restores: what it takes besides needs no mask of its
 * own.
 */
export const makeEntering = Effect.map(
  Limits,
  (limits) =>
    (
      entry: LimitEntry,
      envelope: Envelope,
      provoked: Provoked | undefined,
      inside: (restore: Restore) => Effect.Effect<Answer, Unavailable>
    ): Effect.Effect<Answer, Unavailable> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMapEager(
          provoked?.limit === undefined ? limits.enter(entry) : Effect.succeed(provoked.limit),
          (decision) => {
            showLimits(envelope.headers, decision)
            envelope.headers["x-credits-cost"] = "0"
            return decision._tag === "Admitted"
              ? Effect.onExit(
                  Effect.suspend(() => inside(restore)),
                  () => limits.leave(entry)
                )
              : Effect.succeed(refuse(envelope, limitRefusal(decision)))
          }
        )
      )
)
