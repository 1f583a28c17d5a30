import * as DateTime from "effect/DateTime"
import type { IsoTime } from "../coverage/date.ts"
import type { ChangeType } from "../coverage/revise.ts"

/** How far back changes ask for review: 30 times 24 hours (contract §2, Compliance). */
export const reviewWindowMs = 30 * 86_400_000

/** Changes at this time or later are in the window; `since` of port Changes' query. */
export const reviewSince = (nowMs: number): IsoTime =>
  DateTime.formatIso(DateTime.makeUnsafe(nowMs - reviewWindowMs)) as IsoTime

/** Changes that may alter a decision about a patient's care: left unreviewed they are counted apart. */
export const criticalChangeTypes = [
  "codes_changed",
  "criteria_changed"
] as const satisfies ReadonlyArray<ChangeType>

export const isCritical = (changeType: ChangeType): boolean =>
  criticalChangeTypes.some((critical) => critical === changeType)

/** Counts over the changes of the window, by one organization's acknowledgements. */
export interface ReviewCounts {
  readonly total: number
  readonly acknowledged: number
  /** Not acknowledged, and of a critical type. */
  readonly criticalUnreviewed: number
}

/** GET /compliance/stats. */
export interface ReviewStats {
  readonly totalChanges: number
  readonly acknowledgedCount: number
  readonly unreviewedCount: number
  /**
   * Percent with at most two decimals, 0 to 100; 100 only when nothing is left, and so where nothing
   * changed.
   */
  readonly acknowledgmentRate: number
  readonly criticalUnreviewed: number
}

export const reviewStats = ({ total, acknowledged, criticalUnreviewed }: ReviewCounts): ReviewStats => ({
  totalChanges: total,
  acknowledgedCount: acknowledged,
  unreviewedCount: total - acknowledged,
  acknowledgmentRate: total === 0 ? 100 : Math.floor((acknowledged * 10_000) / total) / 100,
  criticalUnreviewed
})

/** The counts of a list of changes, each with whether it is acknowledged: what a store's query must equal. */
export const countReviews = (
  changes: ReadonlyArray<{ readonly changeType: ChangeType; readonly acknowledged: boolean }>
): ReviewCounts => ({
  total: changes.length,
  acknowledged: changes.filter(({ acknowledged }) => acknowledged).length,
  criticalUnreviewed: changes.filter(
    ({ changeType, acknowledged }) => !acknowledged && isCritical(changeType)
  ).length
})
