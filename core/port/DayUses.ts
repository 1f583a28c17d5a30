import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { StoreFault } from "../error/StoreFault.ts"

export class DayUsesUnavailable extends Schema.TaggedError<DayUsesUnavailable>()("DayUsesUnavailable", {
  fault: StoreFault
}) {}

/**
 * What the usage rows say that a subject of the limits has used of its day's quota (contract §1, Limits and
 * money), for a store of limits that has not counted the day from its beginning.
 *
 * 1. The cost units of all calls that were charged on that UTC day (`Charge.atMs`), and of no other day.
 * 2. A refund gives credits back and no quota: what the call used stays used.
 * 3. Organizations do not touch each other; one that nobody knows, and a test key, have used nothing.
 * 4. A call whose charge was answered is counted by every read after it, on any connection.
 * 5. An unavailable store fails with DayUsesUnavailable, never a guess.
 */
export class DayUses extends Context.Service<
  DayUses,
  {
    /** Cost units. The day is in days since 1970, the subject as in `LimitEntry`. */
    readonly read: (input: {
      readonly subject: string
      readonly day: number
    }) => Effect.Effect<number, DayUsesUnavailable>
  }
>()("coverage/core/port/DayUses") {}
