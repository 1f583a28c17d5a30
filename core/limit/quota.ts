/** The quota's day is a UTC day (contract §1), which has this many milliseconds in Unix time. */
export const dayMs = 86_400_000

/** Cost units used in one UTC day, counted in days since 1970. */
export interface DayUse {
  readonly day: number
  readonly used: number
}

/** No day is counted, not even the first of Unix time. */
export const unusedDay: DayUse = { day: -1, used: 0 }

/** The UTC day of an instant, Unix ms. */
export const dayOf = (nowMs: number): number => Math.floor(nowMs / dayMs)

/** Whether the day of the instant is being counted; a day that is not may have been used or not. */
export const isCounted = (use: DayUse, nowMs: number): boolean => use.day === dayOf(nowMs)

/**
 * Counts on from what is told of the day, or from what is counted where that is more: calls under way have
 * entered and have no usage row yet. What is told of another day than the instant's is too late and tells
 * nothing.
 */
export const resume = (use: DayUse, told: DayUse | undefined, nowMs: number): DayUse => {
  if (told === undefined || !isCounted(told, nowMs)) return use
  return isCounted(use, nowMs) && use.used >= told.used ? use : told
}

/** The instant, the call's cost and the day's quota, all of them by the deciding clock. */
export interface QuotaAsk {
  readonly nowMs: number
  readonly cost: number
  readonly perDay: number | null
}

export type QuotaDecision =
  | { readonly _tag: "Admitted"; readonly use: DayUse }
  | {
      readonly _tag: "Refused"
      readonly retryAfterMs: number
      readonly remaining: number
      readonly resetMs: number
    }

/**
 * The day's quota: refused until the next UTC midnight once the cost no longer fits (RATE_QUOTA_EXCEEDED).
 */
export const spend = (use: DayUse, ask: QuotaAsk): QuotaDecision => {
  if (ask.perDay === null) return { _tag: "Admitted", use }
  const day = dayOf(ask.nowMs)
  const used = use.day === day ? use.used : 0
  if (used + ask.cost <= ask.perDay) return { _tag: "Admitted", use: { day, used: used + ask.cost } }
  const resetMs = (day + 1) * dayMs
  return {
    _tag: "Refused",
    retryAfterMs: resetMs - ask.nowMs,
    remaining: Math.max(0, ask.perDay - used),
    resetMs
  }
}
