import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { limitRefusal, showLimits } from "../../core/limit/headers.ts"
import type { LimitDecision } from "../../core/limit/policy.ts"
import { along, callsMade, policies } from "../kit/limitCalls.ts"

const limitHeaders = (decision: LimitDecision): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {}
  showLimits(headers, decision)
  return headers
}

const noonMs = 1_728_043_200_000
const figures = { limit: 60, perDay: 5_000, remaining: 54, resetMs: noonMs + 60_000, atMs: noonMs }

describe("§8.2 the limit headers", () => {
  it("an admitted call shows the minute and no Retry-After", () => {
    expect(limitHeaders({ _tag: "Admitted", figures })).toEqual({
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "54",
      "x-ratelimit-reset": "1728043260",
      "ratelimit-policy": `"minute";q=60;w=60, "day";q=5000;w=86400`,
      ratelimit: `"minute";r=54;t=60`
    })
  })

  it("§8.1.5 a refused call says after how many whole seconds it fits", () => {
    const refused = { _tag: "Refused", by: "minute", retryAfterMs: 1_001, standsMs: 0, figures } as const
    expect(limitHeaders(refused)["retry-after"]).toBe("2")
    expect(limitHeaders({ ...refused, retryAfterMs: 1_000 })["retry-after"]).toBe("1")
    expect(limitHeaders({ ...refused, retryAfterMs: 1 })["retry-after"]).toBe("1")
    expect(limitRefusal(refused)).toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
      details: { retry_after_seconds: 2 }
    })
  })

  it("§7.3 RATE_QUOTA_EXCEEDED resets at the next UTC midnight and still shows the per-minute limit", () => {
    const midnight = { ...figures, remaining: 3, resetMs: noonMs + 43_200_000 }
    const refused = {
      _tag: "Refused",
      by: "day",
      retryAfterMs: 43_200_000,
      standsMs: 0,
      figures: midnight
    } as const
    expect(limitHeaders(refused)).toMatchObject({
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "3",
      "x-ratelimit-reset": "1728086400",
      ratelimit: `"day";r=3;t=43200`,
      "retry-after": "43200"
    })
    expect(limitRefusal(refused).code).toBe("RATE_QUOTA_EXCEEDED")
  })

  it("§7.3 RATE_CONCURRENT_EXCEEDED may be tried again after a second", () => {
    const refused = { _tag: "Refused", by: "concurrent", retryAfterMs: 1_000, standsMs: 0, figures } as const
    expect(limitHeaders(refused)).toMatchObject({ "retry-after": "1", ratelimit: `"minute";r=54;t=60` })
    expect(limitRefusal(refused).code).toBe("RATE_CONCURRENT_EXCEEDED")
  })

  it("§8.1.4 the sandbox has no quota to show", () => {
    const decision: LimitDecision = { _tag: "Admitted", figures: { ...figures, perDay: null } }
    expect(limitHeaders(decision)["ratelimit-policy"]).toBe(`"minute";q=60;w=60`)
  })

  it("the IETF fields agree with the others for every decision", () =>
    fc.assert(
      fc.property(callsMade, policies, (calls, policy) => {
        along(calls, policy, ({ decision }) => {
          if (decision._tag === "DayUnknown") return
          const shown = limitHeaders(decision)
          const field = /^"(minute|day)";r=(\d+);t=(\d+)$/.exec(shown["ratelimit"] ?? "")
          expect(field?.[2]).toBe(shown["x-ratelimit-remaining"])
          expect(Number(field?.[3])).toBe(
            Math.ceil((decision.figures.resetMs - decision.figures.atMs) / 1_000)
          )
          expect(shown["ratelimit-policy"]).toContain(`"minute";q=${shown["x-ratelimit-limit"]};w=60`)
          expect(shown["ratelimit-policy"]).toContain(`"${field?.[1]}";q=`)
          expect("retry-after" in shown).toBe(decision._tag === "Refused")
        })
      })
    ))
})
