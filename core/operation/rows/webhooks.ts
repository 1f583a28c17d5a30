import * as Schema from "effect/Schema"
import { idText, isoTime, list, paging, text } from "../field.ts"
import type { Operation } from "../Operation.ts"

const endpoint = Schema.Struct({ id: idText })
const url = text({ min: 1, max: 2_048 })
const events = list(Schema.Literals(["compliance.acknowledged", "*"]), { min: 1, max: 20 })
const deliveryStatuses = ["pending", "held", "delivered", "failed", "dead"] as const

const webhook = { requirement: "write", feature: "webhooks", credits: 1 } as const

export const webhookRows = {
  createWebhook: {
    ...webhook,
    method: "POST",
    path: "/webhooks",
    summary: "Create a webhook endpoint",
    body: Schema.Struct({ url, events }),
    refusals: ["VALIDATION_ERROR", "SERVER_UPSTREAM_UNAVAILABLE"]
  },
  listWebhooks: {
    ...webhook,
    method: "GET",
    path: "/webhooks",
    summary: "List the webhook endpoints",
    refusals: []
  },
  updateWebhook: {
    ...webhook,
    method: "PATCH",
    path: "/webhooks/{id}",
    summary: "Change a webhook endpoint",
    params: endpoint,
    body: Schema.Struct({
      url: Schema.optionalKey(url),
      events: Schema.optionalKey(events),
      status: Schema.optionalKey(Schema.Literals(["active", "paused"]))
    }),
    refusals: ["RESOURCE_NOT_FOUND", "VALIDATION_ERROR", "SERVER_UPSTREAM_UNAVAILABLE"]
  },
  deleteWebhook: {
    ...webhook,
    method: "DELETE",
    path: "/webhooks/{id}",
    summary: "Delete a webhook endpoint",
    params: endpoint,
    refusals: ["RESOURCE_NOT_FOUND"]
  },
  testWebhook: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/test",
    summary: "Send a test.ping to a webhook endpoint",
    params: endpoint,
    refusals: ["RESOURCE_NOT_FOUND", "VALIDATION_ERROR", "SERVER_UPSTREAM_UNAVAILABLE"]
  },
  rotateWebhookSecret: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/rotate-secret",
    summary: "Give a webhook endpoint a new secret",
    params: endpoint,
    refusals: ["RESOURCE_NOT_FOUND"]
  },
  replayWebhook: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/replay",
    summary: "Send the events of a window again",
    params: endpoint,
    body: Schema.Struct({ since: isoTime, until: isoTime }),
    refusals: ["RESOURCE_NOT_FOUND"]
  },
  listDeliveries: {
    ...webhook,
    method: "GET",
    path: "/webhooks/{id}/deliveries",
    summary: "List the deliveries of a webhook endpoint",
    params: endpoint,
    query: Schema.Struct({ ...paging, status: Schema.optionalKey(Schema.Literals(deliveryStatuses)) }),
    refusals: ["RESOURCE_NOT_FOUND"],
    paged: true
  },
  replayDelivery: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/deliveries/{delivery_id}/replay",
    summary: "Send one delivery again",
    params: Schema.Struct({ id: idText, delivery_id: idText }),
    refusals: ["RESOURCE_NOT_FOUND"]
  }
} as const satisfies Record<string, Operation>
