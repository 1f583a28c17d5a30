import type { LimitDecision } from "./policy.ts"

/**
 * A refusal is repeated from memory for at most this long, so that a process asks the store once a second.
 */
export const memoMsMax = 1_000

/**
 * A refusal and the clock of this process around it, Unix ms: when it was asked for and when it was answered.
 */
export interface Memo {
  readonly refusal: Extract<LimitDecision, { readonly _tag: "Refused" }>
  readonly askedMs: number
  readonly answeredMs: number
}

/**
 * Whether every call of cost 1 is refused the same way until the refusal's wait has passed. It is so when a
 * call of cost 1 found no room in the minute: then no call of any cost fits, nothing is used, and Remaining
 * and Reset stand still until the oldest calls leave the window. After a dearer call a cheaper one may still
 * fit and move the figures, and the wait of the day and of the slots does not tell when the next call changes
 * anything, so those are always asked.
 */
export const lasting = (cost: number, decision: LimitDecision): decision is Memo["refusal"] =>
  decision._tag === "Refused" && decision.by === "minute" && cost === 1

/**
 * The refusal as it reads now, or undefined when the store must be asked. It is forgotten as if it had been
 * decided when it was asked for, and its wait shortened as if when it was answered: so no call that fits is
 * refused, and no client is told to come back too early, however long the store took.
 */
export const repeat = (
  { refusal, askedMs, answeredMs }: Memo,
  clockMs: number
): Memo["refusal"] | undefined => {
  const sinceAskedMs = clockMs - askedMs
  const sinceMs = clockMs - answeredMs
  if (sinceMs < 0 || sinceAskedMs >= Math.min(memoMsMax, refusal.retryAfterMs)) return undefined
  const figures = { ...refusal.figures, atMs: refusal.figures.atMs + sinceMs }
  return { ...refusal, retryAfterMs: refusal.retryAfterMs - sinceMs, figures }
}
