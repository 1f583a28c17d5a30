import * as Effect from "effect/Effect"
import type { Provoked } from "../admission/gates.ts"
import { limitHeaders, limitRefusal } from "../limit/headers.ts"
import { Limits } from "../port/Limits.ts"
import type { LimitEntry } from "../port/Limits.ts"
import type { Unavailable } from "./Handler.ts"
import { refuse } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"

/**
 * Step 5: `inside` runs in the concurrency slot, and the limits' headers are on every answer from here on. A
 * refusal that was provoked is shown like any other and counts nothing.
 */
export const makeEntering = Effect.map(
  Limits,
  (limits) =>
    (
      entry: LimitEntry,
      envelope: Envelope,
      provoked: Provoked | undefined,
      inside: () => Effect.Effect<Answer, Unavailable>
    ): Effect.Effect<Answer, Unavailable> =>
      Effect.acquireUseRelease(
        provoked?.limit === undefined ? limits.enter(entry) : Effect.succeed(provoked.limit),
        (decision) => {
          Object.assign(envelope.headers, limitHeaders(decision))
          envelope.headers["x-credits-cost"] = "0"
          return decision._tag === "Admitted"
            ? inside()
            : Effect.succeed(refuse(envelope, limitRefusal(decision)))
        },
        (decision) => (decision._tag === "Admitted" ? limits.leave(entry) : Effect.void)
      )
)
