import * as Schema from "effect/Schema"
import { subscriptionsMax, urlCharactersMax } from "../webhook/Endpoint.ts"
import { deliveryStatuses } from "../webhook/delivery.ts"
import { subscriptions, eventNames } from "../webhook/event.ts"
import type { EventType } from "../webhook/event.ts"
import { judgeUrl, loopbackHost, publicTargets, targetRefusals } from "../webhook/target.ts"
import { standIns } from "./Operation.ts"
import type { Operation } from "./Operation.ts"
import { idText, isoTime, list, pageFields, text } from "./field.ts"

/**
 * The form of an endpoint's URL; where it leads is judged at step 11. So is the loopback over http, which an
 * operator may allow (contract §4).
 */
const isTargetText = (value: string): boolean => {
  const judged = judgeUrl(value, publicTargets)
  if (judged._tag !== "Refused" || targetRefusals[judged.reason].fault !== "malformed") return true
  return judged.reason === "scheme" && value.startsWith(`http://${loopbackHost}:`)
}

const endpointParams = Schema.Struct({ id: idText })

// A URL's path may hold any digits: they are a receiver's own names.
const url = text({ min: 1, max: urlCharactersMax }, "url").check(
  Schema.makeFilter(isTargetText, {
    expected: "a complete https URL, without a user name, a fragment, spaces or invisible characters"
  })
)

const events = list(Schema.Literals(subscriptions), { min: 1, max: subscriptionsMax })

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
export const WebhookView = Schema.Struct(endpoint).annotate({ identifier: "WebhookEndpoint" })

export type WebhookView = typeof WebhookView.Type

/** A new endpoint with its secret, which is shown this once. */
export const CreatedWebhook = Schema.Struct({ ...endpoint, secret: Schema.String }).annotate({
  identifier: "CreatedWebhookEndpoint"
})

export const DeletedWebhook = Schema.Struct({ id: Schema.Int, deleted: Schema.Literal(true) }).annotate({
  identifier: "DeletedWebhookEndpoint"
})

/** A new secret, shown this once; the one before signs beside it until it expires. */
export const RotatedSecret = Schema.Struct({
  id: Schema.Int,
  secret: Schema.String,
  previous_secret_expires_at: Schema.String
}).annotate({ identifier: "RotatedWebhookSecret" })

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
}).annotate({ identifier: "WebhookTestResult" })

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
}).annotate({ identifier: "WebhookDelivery" })

export type DeliveryItem = typeof DeliveryItem.Type

/** How many deliveries of a window are on their way again. */
export const ReplayedWindow = Schema.Struct({ id: Schema.Int, replayed: Schema.Int }).annotate({
  identifier: "ReplayedEvents"
})

const ids = Schema.Array(Schema.Int)

/** `data` of each event as its body carries it (§6): ids alone, which the API tells more of. */
export const eventData = {
  "compliance.acknowledged": Schema.Struct({
    acknowledgement_ids: ids,
    diff_ids: ids,
    policy_ids: Schema.Array(Schema.String),
    acknowledged_at: Schema.String
  }),
  "test.ping": Schema.Struct({ endpoint_id: Schema.Int })
} as const satisfies Readonly<Record<EventType, Schema.Top>>

const own = `/webhooks/${standIns.webhook}`
const unknown = "/webhooks/999999999"
const window = { since: "2026-01-01T00:00:00Z", until: "2099-01-01T00:00:00Z" }
const webhook = { requirement: "write", feature: "webhooks", credits: 1 } as const

export const webhookRows = {
  createWebhook: {
    ...webhook,
    method: "POST",
    path: "/webhooks",
    summary: "Create a webhook endpoint",
    body: Schema.Struct({ url, events }),
    example: {
      path: "/webhooks",
      body: { url: "https://ok.example.com/in", events: ["*"] },
      gives: "webhook"
    },
    success: CreatedWebhook,
    refusals: {
      VALIDATION_ERROR: { path: "/webhooks", body: { url: "https://private.example.com/in", events: ["*"] } },
      SERVER_UPSTREAM_UNAVAILABLE: {
        path: "/webhooks",
        body: { url: "https://resolver-down.example.com/in", events: ["*"] }
      }
    }
  },
  listWebhooks: {
    ...webhook,
    method: "GET",
    path: "/webhooks",
    summary: "List webhook endpoints",
    example: { path: "/webhooks" },
    success: Schema.Array(WebhookView),
    refusals: {}
  },
  updateWebhook: {
    ...webhook,
    method: "PATCH",
    path: "/webhooks/{id}",
    plain: true,
    summary: "Update a webhook endpoint",
    params: endpointParams,
    body: Schema.Struct({
      url: Schema.optionalKey(url),
      events: Schema.optionalKey(events),
      status: Schema.optionalKey(Schema.Literals(["active", "paused"]))
    }),
    example: { path: own, body: { status: "active" } },
    success: WebhookView,
    refusals: {
      RESOURCE_NOT_FOUND: { path: unknown, body: { status: "active" } },
      VALIDATION_ERROR: { path: own, body: { url: "https://private.example.com/in" } },
      SERVER_UPSTREAM_UNAVAILABLE: { path: own, body: { url: "https://resolver-down.example.com/in" } }
    }
  },
  testWebhook: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/test",
    summary: "Send a test event to a webhook endpoint",
    params: endpointParams,
    example: { path: `${own}/test` },
    success: TestResult,
    refusals: {
      RESOURCE_NOT_FOUND: { path: `${unknown}/test` },
      VALIDATION_ERROR: null,
      SERVER_UPSTREAM_UNAVAILABLE: null
    }
  },
  rotateWebhookSecret: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/rotate-secret",
    summary: "Rotate a webhook secret",
    params: endpointParams,
    example: { path: `${own}/rotate-secret` },
    success: RotatedSecret,
    refusals: { RESOURCE_NOT_FOUND: { path: `${unknown}/rotate-secret` } }
  },
  replayWebhook: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/replay",
    summary: "Replay events from a time range",
    params: endpointParams,
    body: Schema.Struct({ since: isoTime, until: isoTime }),
    example: {
      path: `${own}/replay`,
      body: window
    },
    success: ReplayedWindow,
    refusals: { RESOURCE_NOT_FOUND: { path: `${unknown}/replay`, body: window } }
  },
  listDeliveries: {
    ...webhook,
    method: "GET",
    path: "/webhooks/{id}/deliveries",
    summary: "List deliveries of a webhook endpoint",
    params: endpointParams,
    query: Schema.Struct({ ...pageFields, status: Schema.optionalKey(Schema.Literals(deliveryStatuses)) }),
    example: { path: `${own}/deliveries`, gives: "delivery" },
    success: Schema.Array(DeliveryItem),
    refusals: { RESOURCE_NOT_FOUND: { path: `${unknown}/deliveries` } },
    paged: true
  },
  replayDelivery: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/deliveries/{delivery_id}/replay",
    summary: "Replay a delivery",
    params: Schema.Struct({ id: idText, delivery_id: idText }),
    example: { path: `${own}/deliveries/${standIns.delivery}/replay` },
    success: DeliveryItem,
    refusals: { RESOURCE_NOT_FOUND: { path: `${own}/deliveries/999999999/replay` } }
  },
  deleteWebhook: {
    ...webhook,
    method: "DELETE",
    path: "/webhooks/{id}",
    summary: "Delete a webhook endpoint",
    params: endpointParams,
    example: { path: own },
    success: DeletedWebhook,
    refusals: { RESOURCE_NOT_FOUND: { path: unknown } }
  }
} as const satisfies Record<string, Operation>
