/**
 * The window is a sliding minute (§8.1.1), open at its start and closed at its end: (now - windowMs, now].
 */
export const windowMs = 60_000

/** One admitted call: when, Unix ms, and its cost units. */
export interface Admission {
  readonly atMs: number
  readonly cost: number
}

/** The admitted calls of a subject, oldest first, so `atMs` never falls. */
export type Log = readonly Admission[]

/** What is asked of the window: the caller's clock, Unix ms, the call's cost and the limit in force. */
export interface WindowAsk {
  readonly clockMs: number
  readonly cost: number
  readonly limit: number
}

/** The window as it stands before a call is taken. */
export interface WindowState {
  readonly nowMs: number
  readonly live: Log
  readonly used: number
  readonly remaining: number
  /** When the last live call leaves the window, or now when none is live. */
  readonly resetMs: number
}

export type WindowDecision =
  | { readonly _tag: "Admitted"; readonly log: Log; readonly remaining: number; readonly resetMs: number }
  | {
      readonly _tag: "Refused"
      readonly retryAfterMs: number
      /**
       * How long Remaining and Reset stand still, and a call of this cost is refused again, whatever else is
       * called: until the first instant at which any call fits. 0 when a cheaper one fits now, or this never.
       */
      readonly standsMs: number
      readonly remaining: number
      readonly resetMs: number
    }

/**
 * The exact weighted sliding log: a cost is admitted if and only if the last 60 seconds then hold no more
 * than the limit. Two-window and token-bucket forms were rejected, since they admit up to 1.98 times the
 * limit (§8.1.1-2). A refusal changes nothing, so that no instant but an admission's is ever remembered.
 */
export const take = (log: Log, ask: WindowAsk): WindowDecision => {
  const { nowMs, live, used, remaining, resetMs } = windowState(log, ask)
  if (used + ask.cost > ask.limit) {
    const stands = remaining === 0 && ask.cost <= ask.limit
    return {
      _tag: "Refused",
      retryAfterMs: untilFree(live, used + ask.cost - ask.limit, nowMs),
      standsMs: stands ? untilFree(live, used + 1 - ask.limit, nowMs) : 0,
      remaining,
      resetMs
    }
  }
  return {
    _tag: "Admitted",
    log: live.concat({ atMs: nowMs, cost: ask.cost }),
    remaining: remaining - ask.cost,
    resetMs: nowMs + windowMs
  }
}

export const windowState = (
  log: Log,
  ask: { readonly clockMs: number; readonly limit: number }
): WindowState => {
  const nowMs = instant(log, ask.clockMs)
  const live = liveOf(log, nowMs)
  let used = 0
  for (const { cost } of live) used += cost
  const last = live.at(-1)
  return {
    nowMs,
    live,
    used,
    remaining: Math.max(0, ask.limit - used),
    resetMs: last === undefined ? nowMs : last.atMs + windowMs
  }
}

/** A clock that steps back frees and reorders nothing: time stands still until it has caught up. */
export const instant = (log: Log, clockMs: number): number => Math.max(clockMs, log.at(-1)?.atMs ?? clockMs)

// The log is in order, so its live part is its end; nearly always that is all of it.
const liveOf = (log: Log, nowMs: number): Log => {
  const head = log.findIndex((admission) => admission.atMs > nowMs - windowMs)
  if (head === 0) return log
  return head === -1 ? [] : log.slice(head)
}

// A cost above the limit itself never fits; it is told to come back after a whole window.
const untilFree = (live: Log, need: number, nowMs: number): number => {
  let freed = 0
  for (const admission of live) {
    freed += admission.cost
    if (freed >= need) return admission.atMs + windowMs - nowMs
  }
  return windowMs
}
