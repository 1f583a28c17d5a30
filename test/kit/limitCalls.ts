import * as fc from "fast-check"
import type { DayUnknown, LimitedCall, LimitState } from "../../core/limit/acquire.ts"
import { tryAcquire, acquire, release, emptyLimitState } from "../../core/limit/acquire.ts"
import type { LimitDecision, LimitPolicy } from "../../core/limit/policy.ts"
import { dayMs, dayOf } from "../../core/limit/quota.ts"
import { costs, gapsMs, limits } from "./limitHistories.ts"

/**
 * One step of a subject's life: a call that enters, or the end of a call that may have entered (or ended)
 * before.
 */
export interface CallMade {
  readonly gapMs: number
  readonly cost: number
  /** Names the call among a few, so that slots are given back twice and request ids return. */
  readonly nth: number
  readonly ends: boolean
  /** Whether the caller can read what the day has used, and so does not let it be guessed. */
  readonly attempts: boolean
  /** What the caller has read of the day, of today or late of yesterday; null: nothing. */
  readonly told: { readonly daysAgo: number; readonly used: number } | null
}

/** A call as the limits are asked. */
export const limitedCallOf = (call: CallMade, policy: LimitPolicy, clockMs: number): LimitedCall => ({
  requestId: String(call.nth),
  cost: call.cost,
  policy,
  ...(call.told && { dayUse: { day: dayOf(clockMs) - call.told.daysAgo, used: call.told.used } })
})

/** Histories begin a little before a UTC midnight, so that they cross it. */
export const callsStartMs = 20_001 * dayMs - 90_000

export const callsMade = fc.array(
  fc.record({
    gapMs: fc.oneof(
      { weight: 5, arbitrary: gapsMs },
      { weight: 1, arbitrary: fc.constantFrom(14_999, 15_000, 15_001) }
    ),
    cost: costs,
    nth: fc.nat({ max: 6 }),
    ends: fc.boolean(),
    attempts: fc.boolean(),
    told: fc.oneof(
      { weight: 6, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.record({ daysAgo: fc.constantFrom(0, 0, 0, 1), used: fc.constantFrom(0, 1, 7, 8, 14) })
      }
    )
  }),
  { maxLength: 50, size: "max" }
)

/** Limits small enough that each of the three refuses within a short history. */
export const policies: fc.Arbitrary<LimitPolicy> = fc.record({
  perMinute: limits,
  perDay: fc.constantFrom(null, 8, 15, 40),
  concurrent: fc.constantFrom(1, 2, 4, 100)
})

/** A busy minute: so many calls are in the window that a store may keep them in parts. */
export const busyCalls: fc.Arbitrary<readonly CallMade[]> = fc.array(
  fc.record({
    gapMs: fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom(0, 1, 250, 1_500) },
      { weight: 1, arbitrary: fc.constantFrom(10_000, 45_000, 59_999, 60_000) }
    ),
    cost: costs,
    nth: fc.nat({ max: 200 }),
    ends: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
    attempts: fc.constant(false),
    told: fc.constant(null)
  }),
  { minLength: 90, maxLength: 160, size: "max" }
)

/** Limits that a busy minute reaches, some by its cost and some by its calls in flight. */
export const busyPolicies: fc.Arbitrary<LimitPolicy> = fc.record({
  perMinute: fc.constantFrom(60, 120, 300),
  perDay: fc.constant(null),
  concurrent: fc.constantFrom(20, 1_000)
})

/** One decision of the kernel and what was around it. */
export interface LimitTransition {
  readonly before: LimitState
  readonly call: CallMade
  readonly clockMs: number
  readonly decision: LimitDecision | DayUnknown
  readonly after: LimitState
}

/** The kernel folded over the calls; the check sees every decision. */
export const along = (
  calls: readonly CallMade[],
  policy: LimitPolicy,
  check: (decided: LimitTransition) => void = () => undefined
): LimitState => {
  let state = emptyLimitState
  let clockMs = callsStartMs
  for (const call of calls) {
    clockMs += call.gapMs
    if (call.ends) {
      state = release(state, String(call.nth))
      continue
    }
    const before = state
    const decide = call.attempts ? tryAcquire : acquire
    const [decision, after] = decide(before, limitedCallOf(call, policy, clockMs), clockMs)
    check({ before, call, clockMs, decision, after })
    state = after
  }
  return state
}
