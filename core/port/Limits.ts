import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { LimitDecision, LimitPolicy } from "../limit/policy.ts"
import { StoreFault } from "./StoreFault.ts"

export class LimitsUnavailable extends Schema.TaggedError<LimitsUnavailable>()("LimitsUnavailable", {
  fault: StoreFault
}) {}

export interface LimitEntry {
  /** `org:<organization id>` or `key:<key id>` (sandbox): whose limits they are. */
  readonly subject: string
  /** Names the lease of the concurrency slot; unique per call. */
  readonly requestId: string
  /** Cost units, 1..8 (§8.1.2). */
  readonly cost: number
  readonly policy: LimitPolicy
}

/**
 * The per-minute limit, the daily quota and the calls in flight, decided at once (§8.1, contract §1).
 *
 * 1. For any history of calls the adapter answers as the kernel's `enter` folded over that history.
 * 2. A call refused by any of the three uses none of them.
 * 3. In no 60-second window is more admitted than the limit, however many race.
 * 4. Subjects do not touch each other.
 * 5. `leave` gives the slot back once; a lease whose process died ends by itself.
 * 6. A store that is away fails with LimitsUnavailable, never a guess.
 */
export class Limits extends Context.Service<
  Limits,
  {
    readonly enter: (entry: LimitEntry) => Effect.Effect<LimitDecision, LimitsUnavailable>
    readonly leave: (entry: LimitEntry) => Effect.Effect<void>
  }
>()("coverage/core/port/Limits") {}
