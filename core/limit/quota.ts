/** The quota's day is a UTC day (contract §1), which has this many milliseconds in Unix time. */
export const dayMs = 86_400_000

/** Cost units used in one UTC day, counted in days since 1970. */
export interface DayUse {
  readonly day: number
  readonly used: number
}

export const unused: DayUse = { day: 0, used: 0 }

/** The instant, the call's cost and the day's quota, all of them by the deciding clock. */
export interface QuotaAsk {
  readonly nowMs: number
  readonly cost: number
  readonly perDay: number | null
}

export type Spent =
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
export const spend = (use: DayUse, ask: QuotaAsk): Spent => {
  if (ask.perDay === null) return { _tag: "Admitted", use }
  const day = Math.floor(ask.nowMs / dayMs)
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
