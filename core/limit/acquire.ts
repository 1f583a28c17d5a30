import type { LimitDecision, LimitFigures, LimitPolicy } from "./policy.ts"
import type { DayUse } from "./quota.ts"
import { dayOf, isCounted, resume, spend, unusedDay } from "./quota.ts"
import type { Lease } from "./slots.ts"
import { occupy, slotRetryMs, vacate } from "./slots.ts"
import type { Log } from "./window.ts"
import { instant, windowState, take, windowMs } from "./window.ts"

/** All that is remembered of one subject. */
export interface LimitState {
  readonly log: Log
  readonly use: DayUse
  readonly leases: readonly Lease[]
}

/** A subject that never called. */
export const emptyLimitState: LimitState = { log: [], use: unusedDay, leases: [] }

/** The call as the limits see it: its request id, its cost units and the limits of its subject. */
export interface LimitedCall {
  readonly requestId: string
  readonly cost: number
  readonly policy: LimitPolicy
  /** What the subject's usage rows say of the day, where they were read: the count goes on from there. */
  readonly dayUse?: DayUse
}

/** The day, by the deciding clock, has a quota and is not counted here from its beginning. */
export interface DayUnknown {
  readonly _tag: "DayUnknown"
  /** The UTC day in days since 1970, which the usage rows can tell. */
  readonly day: number
}

/**
 * The minute, the day and the calls in flight decided at once, in this order when several refuse (contract
 * §1, Order of the checks, 5). A call that any of them refuses uses none of them: it leaves the very state it
 * found, but for what it was told of the day. A day of which nothing is known is taken for unused.
 */
export const acquire = (
  found: LimitState,
  entering: LimitedCall,
  clockMs: number
): readonly [LimitDecision, LimitState] => {
  const { requestId, cost, policy } = entering
  const state = told(found, entering, clockMs)
  const ask = { clockMs, cost, limit: policy.perMinute }
  const nowMs = instant(state.log, clockMs)
  const figures = (of: { readonly remaining: number; readonly resetMs: number }): LimitFigures => ({
    limit: policy.perMinute,
    perDay: policy.perDay,
    remaining: of.remaining,
    resetMs: of.resetMs,
    atMs: nowMs
  })

  const minute = take(state.log, ask)
  if (minute._tag === "Refused") {
    const { retryAfterMs, standsMs } = minute
    return [{ _tag: "Refused", by: "minute", retryAfterMs, standsMs, figures: figures(minute) }, state]
  }
  const day = spend(state.use, { nowMs, cost, perDay: policy.perDay })
  if (day._tag === "Refused") {
    const { retryAfterMs } = day
    return [{ _tag: "Refused", by: "day", retryAfterMs, standsMs: 0, figures: figures(day) }, state]
  }
  const leases = occupy(state.leases, { nowMs, requestId, concurrent: policy.concurrent })
  if (leases === undefined) {
    const unchanged = figures(windowState(state.log, ask))
    const refusal = { by: "concurrent", retryAfterMs: slotRetryMs, standsMs: 0, figures: unchanged } as const
    return [{ _tag: "Refused", ...refusal }, state]
  }
  return [
    { _tag: "Admitted", figures: figures(minute) },
    { log: minute.log, use: day.use, leases }
  ]
}

/**
 * As `enter`, for a caller who can read what the day has used: an unknown day is told, not guessed, and then
 * nothing is used. The minute refuses before the day is looked at.
 */
export const tryAcquire = (
  found: LimitState,
  entering: LimitedCall,
  clockMs: number
): readonly [LimitDecision | DayUnknown, LimitState] => {
  const entered = acquire(found, entering, clockMs)
  const [decision] = entered
  if (entering.policy.perDay === null) return entered
  if (decision._tag === "Refused" && decision.by === "minute") return entered
  const { atMs } = decision.figures
  if (isCounted(told(found, entering, clockMs).use, atMs)) return entered
  return [{ _tag: "DayUnknown", day: dayOf(atMs) }, found]
}

/** Gives the call's slot back, once; what it used of the minute and the day stays used. */
export const release = (state: LimitState, requestId: string): LimitState => ({
  ...state,
  leases: vacate(state.leases, requestId)
})

/**
 * Whether forgetting the subject can change no later answer, even if the clock steps back by up to a minute:
 * the log's last instant still holds it back, so it is kept for a second window, and so is a day that is
 * over.
 */
export const forgettable = (state: LimitState, clockMs: number): boolean =>
  (state.log.at(-1)?.atMs ?? clockMs - 2 * windowMs) <= clockMs - 2 * windowMs &&
  state.leases.every((lease) => lease.expiresMs <= clockMs) &&
  state.use.day < dayOf(clockMs - windowMs)

const told = (state: LimitState, { policy, dayUse }: LimitedCall, clockMs: number): LimitState => {
  if (policy.perDay === null) return state
  const use = resume(state.use, dayUse, instant(state.log, clockMs))
  return use === state.use ? state : { ...state, use }
}
