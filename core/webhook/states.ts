import type { DeliveryStatus } from "./delivery.ts"
import type { EndpointStatus } from "./Endpoint.ts"

/** What each state of an endpoint means to its owner (§3.1); a deleted one is in no answer. */
export const endpointStates = {
  active: "Events are sent at once, and what waited is resumed.",
  paused: "Paused by you: new events are `held`, pending ones wait. `PATCH` with `status: active` resumes.",
  disabled:
    "Disabled by the service, after 410 or days of failures: like paused, until you set it `active` again."
} as const satisfies Readonly<Record<Exclude<EndpointStatus, "deleted">, string>>

/** What each status of a delivery means to the endpoint's owner (contract §2, Webhooks). */
export const deliveryStates = {
  pending: "An attempt is due: the first, or the next of the schedule at `next_attempt_at`.",
  held: "The event came while the endpoint took none; it is sent when you replay it.",
  delivered: "You answered 2xx.",
  failed: "A test that failed, which is never retried.",
  dead: "The last attempt of the schedule failed; a replay begins anew."
} as const satisfies Readonly<Record<DeliveryStatus, string>>
