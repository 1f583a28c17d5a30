import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { DayUnknown } from "../limit/acquire.ts"
import type { LimitDecision, LimitPolicy } from "../limit/policy.ts"
import type { DayUse } from "../limit/quota.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class LimitsUnavailable extends Schema.TaggedError<LimitsUnavailable>()("LimitsUnavailable", {
  fault: StoreFault,
  /** The store's own word for it, in capitals (`READONLY`), or the fault's; absent: nothing more is known. */
  reason: Schema.optionalKey(Schema.String),
  /** Whether it concerns this subject alone; absent: a refused statement does, all else does not. */
  isAlone: Schema.optionalKey(Schema.Boolean)
}) {}

export interface LimitEntry {
  /** Whose limits: `org:<organization id>`, or in the sandbox `key:<key id>` or `address:<address>`. */
  readonly subject: string
  /** Names the lease of the concurrency slot; unique per call. */
  readonly requestId: string
  /** Cost units, 1..8 (§8.1.2). */
  readonly cost: number
  readonly policy: LimitPolicy
  /** The day's use by the usage rows, where they were read: the count continues from there. */
  readonly dayUse?: DayUse
}

/**
 * The per-minute limit, the daily quota and the calls in flight, decided at once (§8.1, contract §1).
 *
 * 1. For any history of calls the adapter returns what the kernel's `acquire`, `tryAcquire` and `release`
 *    return, folded over that history. Where the clock steps back, only the last minute of an idle subject is
 *    certain to be kept.
 * 2. A call refused by any of the three uses none of them.
 * 3. No 60-second window admits more than the limit, under any concurrency.
 * 4. Subjects are independent.
 * 5. `release` frees the slot once: for the next `acquire` of its process at once, for others shortly after,
 *    and after a failure as soon as the store is available. The lease of a dead process expires.
 * 6. An unavailable store fails with LimitsUnavailable; it never guesses.
 * 7. `tryAcquire` never takes an unknown day for an unused one: it uses nothing and returns the day. The
 *    first call that supplies `dayUse` starts the day's count there.
 */
export class Limits extends Context.Service<
  Limits,
  {
    readonly acquire: (entry: LimitEntry) => Effect.Effect<LimitDecision, LimitsUnavailable>
    readonly tryAcquire: (entry: LimitEntry) => Effect.Effect<LimitDecision | DayUnknown, LimitsUnavailable>
    readonly release: (entry: LimitEntry) => Effect.Effect<void>
  }
>()("coverage/core/port/Limits") {}
