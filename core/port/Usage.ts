import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { IsoDate } from "../coverage/date.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { UsageLine } from "../organization/usage.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class UsageUnavailable extends Schema.TaggedError<UsageUnavailable>()("UsageUnavailable", {
  fault: StoreFault
}) {}

/** A gather that came to so many is followed by another at once. */
export const rollUpBatchMax = 5_000

/** A quarter of every operation with three keys; a page shows the newest lines of more. */
export const usageLinesMax = 10_000

/**
 * Usage as its page shows it. The rows themselves are written by `Ledger.charge`, `Transactions.write` and
 * `Ledger.ended`.
 *
 * 1. When all is gathered, the summary is the kernel's `summaryOf` of the usage rows, whatever raced, however
 *    many gathered.
 * 2. `gather` sums some ten thousands at most of what came since, and says how many: 0 when nothing is left,
 *    or when another is at it. What came is counted once.
 * 3. Organizations do not see each other's usage.
 * 4. A summary reads lines, not rows: its cost does not grow with the number of calls.
 * 5. An unavailable store fails with UsageUnavailable.
 */
export class Usage extends Context.Service<
  Usage,
  {
    /** By day, operation, caller, source and tool; both days are included. */
    readonly summarize: (asked: {
      readonly organizationId: OrganizationId
      readonly from: IsoDate
      readonly to: IsoDate
    }) => Effect.Effect<ReadonlyArray<UsageLine>, UsageUnavailable>
    readonly gather: Effect.Effect<number, UsageUnavailable>
  }
>()("coverage/core/port/Usage") {}
