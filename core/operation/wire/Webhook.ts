import * as Schema from "effect/Schema"
import { deliveryStatuses } from "../../webhook/delivery.ts"
import { eventNames, subscriptions } from "../../webhook/event.ts"

/** The states that are shown (contract §2, Webhooks): a deleted endpoint is in no answer. */
export const shownStatuses = ["active", "paused", "disabled"] as const

const endpoint = {
  id: Schema.Int,
  url: Schema.String,
  events: Schema.Array(Schema.Literals(subscriptions)),
  status: Schema.Literals(shownStatuses),
  failure_count: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
}

/** An endpoint (§2.2). */
export const WebhookView = Schema.Struct(endpoint)
export type WebhookView = typeof WebhookView.Type

/** A new endpoint with its secret, which is shown this once. */
export const CreatedWebhook = Schema.Struct({ ...endpoint, secret: Schema.String })

export const DeletedWebhook = Schema.Struct({ id: Schema.Int, deleted: Schema.Literal(true) })

/** A new secret, shown this once; the one before signs beside it until it expires. */
export const RotatedSecret = Schema.Struct({
  id: Schema.Int,
  secret: Schema.String,
  previous_secret_expires_at: Schema.String
})

/** What came of a test (§2.3), and whether the receiver checks signatures. */
export const TestResult = Schema.Struct({
  delivery_id: Schema.Int,
  endpoint_id: Schema.Int,
  event: Schema.Literal("test.ping"),
  http_status: Schema.NullOr(Schema.Int),
  success: Schema.Boolean,
  error: Schema.NullOr(Schema.String),
  signature_validation: Schema.Literals(["enforced", "not_enforced", "unknown"]),
  created_at: Schema.String
})

/** A row of the delivery log (contract §2, Webhooks). */
export const DeliveryItem = Schema.Struct({
  delivery_id: Schema.Int,
  event: Schema.Literals(eventNames),
  webhook_id: Schema.String,
  status: Schema.Literals(deliveryStatuses),
  attempts: Schema.Int,
  http_status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  next_attempt_at: Schema.NullOr(Schema.String),
  created_at: Schema.String
})
export type DeliveryItem = typeof DeliveryItem.Type

/** How many deliveries of a window are on their way again. */
export const ReplayedWindow = Schema.Struct({ id: Schema.Int, replayed: Schema.Int })
