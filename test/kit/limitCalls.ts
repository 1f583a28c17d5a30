import * as fc from "fast-check"
import type { LimitState } from "../../core/limit/enter.ts"
import { enter, leave, untouched } from "../../core/limit/enter.ts"
import type { LimitDecision, LimitPolicy } from "../../core/limit/policy.ts"
import { dayMs } from "../../core/limit/quota.ts"
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
}

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
    ends: fc.boolean()
  }),
  { maxLength: 50, size: "max" }
)

/** Limits small enough that each of the three refuses within a short history. */
export const policies: fc.Arbitrary<LimitPolicy> = fc.record({
  perMinute: limits,
  perDay: fc.constantFrom(null, 8, 15, 40),
  concurrent: fc.constantFrom(1, 2, 4, 100)
})

/** One decision of the kernel and what was around it. */
export interface Decided {
  readonly before: LimitState
  readonly call: CallMade
  readonly clockMs: number
  readonly decision: LimitDecision
  readonly after: LimitState
}

/** The kernel folded over the calls; the check sees every decision. */
export const along = (
  calls: readonly CallMade[],
  policy: LimitPolicy,
  check: (decided: Decided) => void = () => undefined
): LimitState => {
  let state = untouched
  let clockMs = callsStartMs
  for (const call of calls) {
    clockMs += call.gapMs
    if (call.ends) {
      state = leave(state, String(call.nth))
      continue
    }
    const before = state
    const [decision, after] = enter(before, { requestId: String(call.nth), cost: call.cost, policy }, clockMs)
    check({ before, call, clockMs, decision, after })
    state = after
  }
  return state
}
