import type { LimitDecision } from "./policy.ts"

/**
 * A refusal is repeated from memory for at most this long, so that a process asks the store once a second.
 */
export const memoMsMax = 1_000

/**
 * A refusal of a call of this cost, and the clock of this process around it, Unix ms: when it was asked for
 * and when it was answered.
 */
export interface Memo {
  readonly refusal: Extract<LimitDecision, { readonly _tag: "Refused" }>
  readonly cost: number
  readonly askedMs: number
  readonly answeredMs: number
}

/**
 * Whether a call of the same cost is refused the same way for some time. It is so when the minute has no room
 * left at all: then no call of any cost fits, nothing is used, and Remaining and Reset stand still until the
 * oldest calls leave the window. While a cheaper one still fits it may move the figures, and the wait of the
 * day and of the slots does not tell when the next call changes anything, so those are always asked.
 */
export const isLasting = (decision: LimitDecision): decision is Memo["refusal"] =>
  decision._tag === "Refused" && decision.standsMs > 0

/**
 * The refusal as it reads now to a call of this cost, or undefined when the store must be asked. It is
 * forgotten as if it had been decided when it was asked for, and its wait shortened as if when it was
 * answered: so no call that fits is refused, and no client is told to come back too early, however long the
 * store took.
 */
export const repeat = (
  { refusal, cost, askedMs, answeredMs }: Memo,
  asked: { readonly cost: number; readonly clockMs: number }
): Memo["refusal"] | undefined => {
  const sinceAskedMs = asked.clockMs - askedMs
  const sinceMs = asked.clockMs - answeredMs
  const { standsMs, retryAfterMs, figures } = refusal
  if (asked.cost !== cost || sinceMs < 0 || sinceAskedMs >= Math.min(memoMsMax, standsMs)) return undefined
  return {
    ...refusal,
    retryAfterMs: retryAfterMs - sinceMs,
    standsMs: standsMs - sinceMs,
    figures: { ...figures, atMs: figures.atMs + sinceMs }
  }
}
