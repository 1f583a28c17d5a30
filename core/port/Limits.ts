import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { DayUnknown } from "../limit/acquire.ts"
import type { LimitDecision, LimitPolicy } from "../limit/policy.ts"
import type { DayUse } from "../limit/quota.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class LimitsUnavailable extends Schema.TaggedError<LimitsUnavailable>()("LimitsUnavailable", {
  fault: StoreFault
}) {}

export interface LimitEntry {
  /** Whose limits: `org:<organization id>`, or in the sandbox `key:<key id>` or `address:<address>`. */
  readonly subject: string
  /** Names the lease of the concurrency slot; unique per call. */
  readonly requestId: string
  /** Cost units, 1..8 (§8.1.2). */
  readonly cost: number
  readonly policy: LimitPolicy
  /** What the subject's usage rows say of the day, where they were read: the count goes on from there. */
  readonly dayUse?: DayUse
}

/**
 * The per-minute limit, the daily quota and the calls in flight, decided at once (§8.1, contract §1).
 *
 * 1. For any history of calls the adapter answers as the kernel's `acquire`, `tryAcquire` and `release`
 *    folded over that history; of an idle subject only the last minute is sure to be as it was when the clock
 *    steps back.
 * 2. A call refused by any of the three uses none of them.
 * 3. In no 60-second window is more admitted than the limit, however many race.
 * 4. Subjects do not touch each other.
 * 5. `release` gives the slot back once: to the next `acquire` of its process, to others soon after, and once
 *    the store answers where it fails. A lease whose process died ends by itself.
 * 6. A store that is unavailable fails with LimitsUnavailable, never a guess.
 * 7. `tryAcquire` never takes a day for unused of which it knows nothing: it uses nothing and returns which
 *    day it is. Given with the next call, the day is counted on from there, by whichever call comes first.
 */
export class Limits extends Context.Service<
  Limits,
  {
    readonly acquire: (entry: LimitEntry) => Effect.Effect<LimitDecision, LimitsUnavailable>
    readonly tryAcquire: (entry: LimitEntry) => Effect.Effect<LimitDecision | DayUnknown, LimitsUnavailable>
    readonly release: (entry: LimitEntry) => Effect.Effect<void>
  }
>()("coverage/core/port/Limits") {}
