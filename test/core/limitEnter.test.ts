import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { acquire, forgettable, release, emptyLimitState } from "../../core/limit/acquire.ts"
import { isLasting, repeat } from "../../core/limit/memo.ts"
import type { LimitDecision, LimitPolicy } from "../../core/limit/policy.ts"
import { degradedPolicy, limitPolicyOf, policyFor } from "../../core/limit/policy.ts"
import { dayMs } from "../../core/limit/quota.ts"
import { leaseMs } from "../../core/limit/slots.ts"
import { along, callsMade, policies } from "../kit/limitCalls.ts"

const noonMs = 20_000 * dayMs + dayMs / 2
const midnightMs = 20_001 * dayMs

const policy: LimitPolicy = { perMinute: 60, perDay: 5_000, concurrent: 60 }
const call = (requestId: string, cost = 1, limits: LimitPolicy = policy) => ({
  requestId,
  cost,
  policy: limits
})
const said = (decision: LimitDecision) => (decision._tag === "Refused" ? decision.by : "admitted")

describe("the three limits at once (contract §1, Order of the checks, 5)", () => {
  it("a call that is not admitted leaves the very state it found, but for what it told of the day", () =>
    fc.assert(
      fc.property(callsMade, policies, (calls, limits) => {
        along(calls, limits, ({ before, call: { told }, decision, after }) => {
          if (decision._tag === "Admitted") return
          if (told === null || decision._tag === "DayUnknown") return expect(after).toBe(before)
          expect({ ...after, use: before.use }).toEqual(before)
        })
      })
    ))

  it("when several refuse the minute answers first, then the day, then the calls in flight", () => {
    const [, full] = acquire(emptyLimitState, call("a"), noonMs)
    const none = { perMinute: 1, perDay: 1, concurrent: 1 }
    expect(said(acquire(full, call("b", 1, none), noonMs)[0])).toBe("minute")
    expect(said(acquire(full, call("b", 1, { ...none, perMinute: 2 }), noonMs)[0])).toBe("day")
    expect(said(acquire(full, call("b", 1, { ...none, perMinute: 2, perDay: 2 }), noonMs)[0])).toBe(
      "concurrent"
    )
    expect(said(acquire(full, call("b", 1, { perMinute: 2, perDay: 2, concurrent: 2 }), noonMs)[0])).toBe(
      "admitted"
    )
  })

  it("§7.3 RATE_QUOTA_EXCEEDED: the quota is free at the next UTC midnight, no millisecond earlier", () => {
    const limits = { perMinute: 60, perDay: 8, concurrent: 60 }
    const [, used] = acquire(emptyLimitState, call("a", 6, limits), noonMs)
    const [refusal] = acquire(used, call("b", 3, limits), midnightMs - 70_000)
    expect(refusal).toEqual({
      _tag: "Refused",
      by: "day",
      retryAfterMs: 70_000,
      standsMs: 0,
      figures: { limit: 60, perDay: 8, remaining: 2, resetMs: midnightMs, atMs: midnightMs - 70_000 }
    })
    expect(said(acquire(used, call("b", 3, limits), midnightMs - 1)[0])).toBe("day")
    expect(said(acquire(used, call("b", 3, limits), midnightMs)[0])).toBe("admitted")
    expect(said(acquire(used, call("b", 2, limits), midnightMs - 1)[0])).toBe("admitted")
  })

  it("a slot is given back once, and a lease nobody gave back ends by itself after 15 s", () => {
    const limits = { perMinute: 60, perDay: null, concurrent: 1 }
    const [, taken] = acquire(emptyLimitState, call("a", 1, limits), noonMs)
    const [refusal] = acquire(taken, call("b", 1, limits), noonMs + leaseMs - 1)
    expect(refusal).toMatchObject({
      by: "concurrent",
      retryAfterMs: 1_000,
      figures: { limit: 60, remaining: 59 }
    })
    expect(said(acquire(taken, call("b", 1, limits), noonMs + leaseMs)[0])).toBe("admitted")
    const [, again] = acquire(release(taken, "a"), call("b", 1, limits), noonMs)
    expect(said(acquire(release(again, "a"), call("c", 1, limits), noonMs)[0])).toBe("concurrent")
  })

  it("a forgettable subject answers every later call as one that never called", () =>
    fc.assert(
      fc.property(callsMade, policies, (calls, limits) => {
        const state = along(calls, limits)
        const laterMs = (state.log.at(-1)?.atMs ?? noonMs) + 200_000
        if (!forgettable(state, laterMs)) return
        expect(acquire(state, call("z", 1, limits), laterMs)[0]).toEqual(
          acquire(emptyLimitState, call("z", 1, limits), laterMs)[0]
        )
      })
    ))

  it("a subject is forgettable two minutes after its last call, unless it used part of today's quota", () => {
    const [, sandbox] = acquire(emptyLimitState, call("a", 1, { ...policy, perDay: null }), noonMs)
    expect(forgettable(sandbox, noonMs + 119_999)).toBe(false)
    expect(forgettable(sandbox, noonMs + 120_000)).toBe(true)
    const [, live] = acquire(emptyLimitState, call("a"), noonMs)
    expect(forgettable(live, midnightMs + 59_999)).toBe(false)
    expect(forgettable(live, midnightMs + 60_000)).toBe(true)
  })
})

describe("the refusal that is answered from memory", () => {
  const later = fc.array(
    fc.record({ gapMs: fc.constantFrom(0, 1, 200, 999, 1_000), cost: fc.constantFrom(1, 2) })
  )

  // A decision under a clock that stepped back is set aside: its wait stands still until the clock has caught
  // up.
  it("says what the limits would have said", () =>
    fc.assert(
      fc.property(callsMade, policies, later, (calls, limits, others) => {
        along(calls, limits, ({ decision, after, call: { cost }, clockMs }) => {
          if (decision._tag === "DayUnknown" || !isLasting(decision)) return
          if (decision.figures.atMs !== clockMs) return
          const memo = { refusal: decision, cost, askedMs: clockMs, answeredMs: clockMs }
          let nowMs = clockMs
          let state = after
          for (const other of others) {
            nowMs += other.gapMs
            const [real, next] = acquire(state, call("m", other.cost, limits), nowMs)
            const repeated = repeat(memo, { cost: other.cost, clockMs: nowMs })
            if (repeated !== undefined) expect(repeated).toEqual(real)
            state = next
          }
        })
      })
    ))

  it("is asked for again after a second, after its wait, and when the clock steps back", () => {
    const one = { ...policy, perMinute: 1 }
    const [, full] = acquire(emptyLimitState, call("a", 1, one), noonMs)
    const memoAt = (atMs: number) => {
      const [decision] = acquire(full, call("b", 1, one), atMs)
      return isLasting(decision) ? { refusal: decision, cost: 1, askedMs: atMs, answeredMs: atMs } : undefined
    }
    const [early, late] = [memoAt(noonMs), memoAt(noonMs + 59_500)]
    if (early === undefined || late === undefined) return expect.unreachable("both are lasting")
    expect(repeat(early, { cost: 1, clockMs: noonMs + 999 })).toMatchObject({ retryAfterMs: 59_001 })
    expect(repeat(early, { cost: 1, clockMs: noonMs + 1_000 })).toBeUndefined()
    expect(repeat(early, { cost: 1, clockMs: noonMs - 1 })).toBeUndefined()
    expect(repeat(late, { cost: 1, clockMs: noonMs + 59_999 })).toMatchObject({ retryAfterMs: 1 })
    expect(repeat(late, { cost: 1, clockMs: noonMs + 60_000 })).toBeUndefined()
    expect(repeat(early, { cost: 2, clockMs: noonMs })).toBeUndefined()
  })

  it("is of any cost once nothing fits, never of the day or of the calls in flight", () => {
    const [, full] = acquire(emptyLimitState, call("a", 1), noonMs)
    const refusal = (cost: number, limits: LimitPolicy) => acquire(full, call("b", cost, limits), noonMs)[0]
    expect(isLasting(refusal(2, { ...policy, perMinute: 2 }))).toBe(false)
    expect(isLasting(refusal(2, { ...policy, perMinute: 1 }))).toBe(false)
    expect(isLasting(refusal(1, { ...policy, perDay: 1 }))).toBe(false)
    expect(isLasting(refusal(1, { ...policy, concurrent: 1 }))).toBe(false)
    const [, fuller] = acquire(full, call("b", 1), noonMs)
    expect(isLasting(acquire(fuller, call("c", 2, { ...policy, perMinute: 2 }), noonMs)[0])).toBe(true)
  })
})

describe("which limits apply", () => {
  it("§8.1 each pack has its row, and the operator may set fewer calls in flight but not more", () => {
    expect(policyFor("credits", null)).toEqual({ perMinute: 60, perDay: 5_000, concurrent: 60 })
    expect(policyFor("build", 10)).toEqual({ perMinute: 300, perDay: 50_000, concurrent: 10 })
    expect(policyFor("scale", 5_000)).toEqual({ perMinute: 1_000, perDay: 250_000, concurrent: 1_000 })
  })

  it("§8.1.4 the sandbox allows 60 a minute per test key whatever the pack", () => {
    const holder = { pack: "scale", concurrentMax: 1 } as const
    expect(limitPolicyOf("sandbox", holder)).toEqual({ perMinute: 60, perDay: null, concurrent: 60 })
    expect(limitPolicyOf("live", holder)).toEqual({ perMinute: 1_000, perDay: 250_000, concurrent: 1 })
  })

  it("§8.1.3 without the shared store the limit is half, shared by the processes, and never below 10", () => {
    const perMinute = (limit: number, nodes: number) =>
      degradedPolicy({ ...policy, perMinute: limit }, nodes).perMinute
    expect([perMinute(1_000, 1), perMinute(60, 1), perMinute(15, 1), perMinute(6, 1)]).toEqual([
      500, 30, 10, 6
    ])
    expect([perMinute(1_000, 3), perMinute(300, 4), perMinute(60, 4)]).toEqual([166, 37, 10])
    expect(degradedPolicy(policy, 4)).toMatchObject({ perDay: 5_000, concurrent: 60 })
  })
})
