import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ReviewCounts } from "../compliance/stats.ts"
import type { IsoTime } from "../coverage/date.ts"
import type { PolicyId } from "../coverage/Policy.ts"
import type { ChangeType } from "../coverage/revise.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { RecordedChange } from "./Policies.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class ReviewsUnavailable extends Schema.TaggedError<ReviewsUnavailable>()("ReviewsUnavailable", {
  fault: StoreFault
}) {}

export interface UnreviewedQuery {
  readonly organizationId: OrganizationId
  /** `reviewSince` of compliance/stats.ts. */
  readonly since: IsoTime
  readonly changeType: ChangeType | null
  /** Changes before this one in the list; null: from the newest. */
  readonly before: number | null
  readonly limit: number
}

/**
 * The changes of a library as an organization has reviewed them (contract §2, Compliance). Each surface has
 * its own, since its library is its own.
 *
 * 1. `named` gives the policy of each id that a change has; of any age.
 * 2. `unreviewed` gives exactly the changes since the time, of the type, that the organization has not
 *    acknowledged, newest first (by diff id), at most `limit`; `next` is the last one's id when more follow.
 * 3. `counts` equals the kernel's `countReviews` over the changes since the time.
 * 4. An unavailable store fails with ReviewsUnavailable.
 */
export class Reviews extends Context.Service<
  Reviews,
  {
    readonly named: (
      diffIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyMap<number, PolicyId>, ReviewsUnavailable>
    readonly unreviewed: (
      query: UnreviewedQuery
    ) => Effect.Effect<
      { readonly changes: ReadonlyArray<RecordedChange>; readonly next: number | null },
      ReviewsUnavailable
    >
    readonly counts: (
      query: Pick<UnreviewedQuery, "organizationId" | "since">
    ) => Effect.Effect<ReviewCounts, ReviewsUnavailable>
  }
>()("coverage/core/port/Reviews") {}
