import type { Refusal } from "../error/Refusal.ts"
import { refused } from "../error/Refusal.ts"
import type { LimitDecision, LimitKind } from "./policy.ts"
import { dayMs } from "./quota.ts"
import { windowMs } from "./window.ts"

/**
 * Adds the headers of §8.2 and the IETF fields `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-10), all from the same figures, so they agree. X-RateLimit-Reset is
 * in Unix seconds; Retry-After, on a refusal only, is in seconds and long enough for the same call to be
 * possible.
 */
export const showLimits = (headers: Record<string, string>, decision: LimitDecision): void => {
  const { limit, remaining, resetMs, atMs } = decision.figures
  const byDay = decision._tag === "Refused" && decision.by === "day"
  headers["x-ratelimit-limit"] = String(limit)
  headers["x-ratelimit-remaining"] = String(remaining)
  headers["x-ratelimit-reset"] = String(Math.ceil(resetMs / 1000))
  headers["ratelimit-policy"] = policyField(decision)
  headers["ratelimit"] =
    `"${byDay ? "day" : "minute"}";r=${remaining};t=${Math.ceil((resetMs - atMs) / 1000)}`
  if (decision._tag === "Refused") headers["retry-after"] = String(retryAfterSeconds(decision))
}

/**
 * The refusal of §7.3 for the limit that refused; its details repeat Retry-After for who sees only the body.
 */
export const limitRefusal = (decision: Extract<LimitDecision, { readonly _tag: "Refused" }>): Refusal =>
  refused(refusalCodes[decision.by], { retry_after_seconds: retryAfterSeconds(decision) })

/** Seconds to wait, rounded up, so that a client which waits as told is never too early; at least 1. */
export const retryAfterSeconds = (refused: { readonly retryAfterMs: number }): number =>
  Math.max(1, Math.ceil(refused.retryAfterMs / 1000))

const policyField = ({ figures: { limit, perDay } }: LimitDecision): string => {
  const minute = `"minute";q=${limit};w=${windowMs / 1000}`
  return perDay === null ? minute : `${minute}, "day";q=${perDay};w=${dayMs / 1000}`
}

const refusalCodes = {
  minute: "RATE_LIMIT_EXCEEDED",
  day: "RATE_QUOTA_EXCEEDED",
  concurrent: "RATE_CONCURRENT_EXCEEDED"
} as const satisfies Record<LimitKind, string>
