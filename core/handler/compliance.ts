import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { reviewSince, reviewStats } from "../compliance/stats.ts"
import type { IsoTime } from "../coverage/date.ts"
import type { Payer } from "../coverage/Payer.ts"
import { refused } from "../error/Refusal.ts"
import { pageLimit } from "../operation/field.ts"
import type { UnreviewedChange } from "../operation/compliance.ts"
import type { RecordedChange } from "../port/Policies.ts"
import { Payers } from "../port/Payers.ts"
import { Reviews } from "../port/Reviews.ts"
import type { Handler } from "./Handler.ts"
import { beforeOf, pageEnd } from "./newestFirst.ts"

/** Which changes an organization has reviewed (contract §2, Compliance): lists and counts. */
export const makeReviewHandlers = Effect.gen(function* () {
  const reviews = yield* Reviews
  const payers = yield* Payers

  const listUnreviewed: Handler<"listUnreviewed"> = ({ query }, { caller, now, position }) =>
    Effect.gen(function* () {
      const before = beforeOf(position)
      if (before === undefined) return refused("REQUEST_INVALID_CURSOR")
      const limit = query.limit ?? pageLimit.standard
      const found = yield* reviews.unreviewed({
        organizationId: caller.organizationId,
        since: reviewSince(msOf(now)),
        changeType: query.change_type ?? null,
        before,
        limit
      })
      const named = new Map((yield* payers.list).map((payer) => [payer.code, payer]))
      return {
        _tag: "Data",
        data: found.changes.map((change) => unreviewedChange(change, named)),
        page: pageEnd(found.next, limit)
      }
    })

  const complianceStats: Handler<"complianceStats"> = (_, { caller, now }) =>
    Effect.gen(function* () {
      const { organizationId } = caller
      const stats = reviewStats(yield* reviews.counts({ organizationId, since: reviewSince(msOf(now)) }))
      return {
        _tag: "Data",
        data: {
          total_changes_30d: stats.totalChanges,
          acknowledged_count: stats.acknowledgedCount,
          unreviewed_count: stats.unreviewedCount,
          acknowledgment_rate: stats.acknowledgmentRate,
          critical_unreviewed: stats.criticalUnreviewed
        }
      }
    })

  return { listUnreviewed, complianceStats } as const
})

const msOf = (now: IsoTime): number => DateTime.makeUnsafe(now).epochMilliseconds

const unreviewedChange = (change: RecordedChange, payers: ReadonlyMap<string, Payer>): UnreviewedChange => ({
  diff_id: change.diffId,
  policy_id: change.policy.policyId,
  policy_title: change.title,
  policy_type: change.policy.policyType,
  payer_name: payers.get(change.policy.payerCode)?.name ?? null,
  change_type: change.changeType,
  change_summary: change.changeSummary,
  changed_at: change.changedAt
})
