import type { DeliveryItem, WebhookView } from "../operation/webhooks.ts"
import { shownStatuses } from "../operation/webhooks.ts"
import type { Delivery } from "../webhook/delivery.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"
import { isoTimeOf } from "../coverage/date.ts"

/** An endpoint as it is shown (§2.2), its secrets never. */
export const webhookView = (endpoint: Endpoint): WebhookView => ({
  id: endpoint.endpointId,
  url: endpoint.url,
  events: endpoint.events,
  // No port finds an endpoint that is deleted, which alone has another status.
  status: shownStatuses.find((status) => status === endpoint.status) ?? "disabled",
  failure_count: endpoint.failureCount,
  created_at: isoTimeOf(endpoint.createdAtMs),
  updated_at: isoTimeOf(endpoint.updatedAtMs)
})

/** A row of the delivery log (contract §2, Webhooks). */
export const deliveryItem = (delivery: Delivery): DeliveryItem => ({
  delivery_id: delivery.deliveryId,
  event: delivery.event,
  webhook_id: delivery.webhookId,
  status: delivery.status,
  attempts: delivery.attempts,
  http_status: delivery.httpStatus,
  error: delivery.error,
  next_attempt_at: delivery.nextAttemptAtMs === null ? null : isoTimeOf(delivery.nextAttemptAtMs),
  created_at: isoTimeOf(delivery.createdAtMs)
})
