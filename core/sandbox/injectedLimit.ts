import type { Refusal } from "../error/Refusal.ts"
import type { ErrorCode } from "../error/table.ts"
import { limitRefusal } from "../limit/headers.ts"
import type { LimitDecision } from "../limit/policy.ts"
import { dayMs, dayOf } from "../limit/quota.ts"
import { slotRetryMs } from "../limit/slots.ts"
import { packs, sandboxLimits } from "../organization/pack.ts"

type RefusedLimit = Extract<LimitDecision, { readonly _tag: "Refused" }>

/**
 * An injected limit is free again after this: long enough to be seen in a client's waiting, and no longer.
 */
const injectedWaitMs = 2_000

const perMinute = sandboxLimits.perMinute

/** What each limit would say when it refuses; the sandbox has no day of its own and shows a small pack's. */
const limits = {
  RATE_LIMIT_EXCEEDED: (nowMs) => ({
    by: "minute",
    retryAfterMs: injectedWaitMs,
    figures: { perDay: null, remaining: 0, resetMs: nowMs + injectedWaitMs }
  }),
  RATE_QUOTA_EXCEEDED: (nowMs) => {
    const resetMs = (dayOf(nowMs) + 1) * dayMs
    return {
      by: "day",
      retryAfterMs: resetMs - nowMs,
      figures: { perDay: packs.credits.requestsPerDay, remaining: 0, resetMs }
    }
  },
  RATE_CONCURRENT_EXCEEDED: (nowMs) => ({
    by: "concurrent",
    retryAfterMs: slotRetryMs,
    figures: { perDay: null, remaining: perMinute, resetMs: nowMs }
  })
} as const satisfies Partial<Record<ErrorCode, (nowMs: number) => Shown>>

interface Shown extends Pick<RefusedLimit, "by" | "retryAfterMs"> {
  readonly figures: Omit<RefusedLimit["figures"], "limit" | "atMs">
}

export const isInjectedLimit = (code: ErrorCode): code is keyof typeof limits => code in limits

/** A refusal of step 5 with the figures for its headers; nothing is counted. */
export const injectedLimit = (
  code: keyof typeof limits,
  nowMs: number
): { readonly refusal: Refusal; readonly limit: RefusedLimit } => {
  const { figures, ...shown } = limits[code](nowMs)
  const limit: RefusedLimit = {
    _tag: "Refused",
    ...shown,
    standsMs: 0,
    figures: { ...figures, limit: perMinute, atMs: nowMs }
  }
  return { refusal: limitRefusal(limit), limit }
}
