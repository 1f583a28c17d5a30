import type { Delivery, NewDelivery } from "./delivery.ts"
import { openDelivery } from "./delivery.ts"
import { errorOf, httpStatusOf, isDelivered } from "./Outcome.ts"
import type { Outcome } from "./Outcome.ts"

/** The valid and the forged ping have so long together (contract §2, Webhooks). */
export const testDeadlineMs = 10_000

/** More tests than this in a minute of one endpoint are refused with RATE_LIMIT_EXCEEDED. */
export const testsPerMinute = 6

/** What the test operation could learn of the receiver. */
export type SignatureValidation = "enforced" | "not_enforced" | "unknown"

/**
 * Whether the receiver checks signatures, from what it answered to a valid ping and to one signed with a
 * secret that is nobody's. One that refuses the valid ping as well may refuse everything: nothing is known
 * of it.
 */
export const signatureValidation = (answers: {
  readonly valid: Outcome
  readonly forged: Outcome
}): SignatureValidation => {
  if (!isDelivered(answers.valid) || answers.forged._tag === "Failed") return "unknown"
  if (isDelivered(answers.forged)) return "not_enforced"
  return answers.forged.status >= 400 && answers.forged.status < 500 ? "enforced" : "unknown"
}

/** The row of a test in the delivery log: one attempt, never retried, whatever came of the valid ping. */
export const testDelivery = (
  input: Omit<Parameters<typeof openDelivery>[0], "event" | "fate">,
  valid: Outcome
): NewDelivery => ({
  ...openDelivery({ ...input, event: "test.ping", fate: "held" }),
  status: isDelivered(valid) ? "delivered" : ("failed" satisfies Delivery["status"]),
  attempts: 1,
  step: 1,
  httpStatus: httpStatusOf(valid),
  error: errorOf(valid)
})
