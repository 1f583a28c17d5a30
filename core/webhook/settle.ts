import { decide, settleDelivery } from "./delivery.ts"
import type { Delivery, DeliveryPolicy } from "./delivery.ts"
import type { Endpoint } from "./Endpoint.ts"
import { errorOf, httpStatusOf } from "./Outcome.ts"
import type { Outcome } from "./Outcome.ts"
import { afterAttempt, mayAttempt } from "./transitions.ts"
import type { EndpointTransition } from "./transitions.ts"

/** A delivery and its endpoint as they stand when an attempt has ended. */
export interface DeliveryState {
  readonly delivery: Delivery
  readonly endpoint: Endpoint
  readonly hasWebhooks: boolean
  /** Whether the attempt's turn is still the delivery's: nobody replayed, resumed or settled it meanwhile. */
  readonly isItsTurn: boolean
}

/** What an attempt that has ended comes to, all of it one commit. */
export interface Settlement {
  readonly delivery: Delivery
  readonly moved: EndpointTransition
  /**
   * When the next job is due, Unix ms; null: there is none, or it waits until its endpoint is active again.
   */
  readonly jobAtMs: number | null
}

/**
 * Folds an attempt into its delivery and endpoint. One whose turn has passed counts for the endpoint and in
 * the log, since the request was made, and leaves the delivery where the later turn put it.
 */
export const settleAttempt = (
  standing: DeliveryState,
  made: { readonly outcome: Outcome; readonly nowMs: number; readonly random: number },
  policy: DeliveryPolicy
): Settlement => {
  const { delivery, endpoint, hasWebhooks, isItsTurn } = standing
  const { outcome, nowMs } = made
  const decision = decide(outcome, { ...made, step: delivery.step + 1 }, policy)
  const moved = afterAttempt(endpoint, decision, nowMs)
  const settled = isItsTurn ? settleDelivery(delivery, outcome, decision) : counted(delivery, outcome)
  const goesOn = isItsTurn && settled.status === "pending" && mayAttempt(moved.endpoint, { hasWebhooks })
  return { delivery: settled, moved, jobAtMs: goesOn ? settled.nextAttemptAtMs : null }
}

const counted = (delivery: Delivery, outcome: Outcome): Delivery => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  httpStatus: httpStatusOf(outcome),
  error: errorOf(outcome)
})
