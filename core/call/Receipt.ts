import type { LimitDecision } from "../limit/policy.ts"

/** What was taken for a call so far. Headers are made of it once, at the end (respond.ts). */
export interface Receipt {
  /** What the limits said; undefined: the call did not come so far, or nobody counts it. */
  readonly limits: LimitDecision | undefined
  /** Credits that the call spent; undefined: as above. */
  readonly cost: number | undefined
  /** Credits that are left; undefined: nothing looked. */
  readonly remaining: number | undefined
  /** Whether a kept answer was given again. */
  readonly replayed: boolean
}

/** Of a call that has taken nothing. */
export const untaken: Receipt = { limits: undefined, cost: undefined, remaining: undefined, replayed: false }

/** Of a call that the limits have looked at. */
export const counted = (limits: LimitDecision): Receipt => ({ ...untaken, limits, cost: 0 })

/** Of a call that met its deadline: what it spent is given back later, so no balance can be named. */
export const timedOut = ({ limits, cost }: Receipt): Receipt => ({
  ...untaken,
  limits,
  cost: cost === undefined ? undefined : 0
})
