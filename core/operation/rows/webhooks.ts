import * as Schema from "effect/Schema"
import { deliveryStatuses } from "../../webhook/delivery.ts"
import { subscriptionsMax, urlCharactersMax } from "../../webhook/Endpoint.ts"
import { subscriptions } from "../../webhook/event.ts"
import { judgeUrl, loopbackHost, publicTargets, targetRefusals } from "../../webhook/target.ts"
import { idText, isoTime, list, pageFields, text } from "../field.ts"
import type { Operation } from "../Operation.ts"
import {
  CreatedWebhook,
  DeletedWebhook,
  DeliveryItem,
  ReplayedWindow,
  RotatedSecret,
  TestResult,
  WebhookView
} from "../wire/Webhook.ts"

/**
 * The form of an endpoint's URL; where it leads is judged at step 11. So is the loopback over http, which an
 * operator may allow (contract §4).
 */
const isTargetText = (value: string): boolean => {
  const judged = judgeUrl(value, publicTargets)
  if (judged._tag !== "Refused" || targetRefusals[judged.reason].fault !== "malformed") return true
  return judged.reason === "scheme" && value.startsWith(`http://${loopbackHost}:`)
}

const endpoint = Schema.Struct({ id: idText })
// A URL's path may hold any digits: they are a receiver's own names.
const url = text({ min: 1, max: urlCharactersMax }, "id").check(
  Schema.makeFilter(isTargetText, {
    expected: "a complete https URL, without a user name, a fragment, spaces or invisible characters"
  })
)
const events = list(Schema.Literals(subscriptions), { min: 1, max: subscriptionsMax })

const webhook = { requirement: "write", feature: "webhooks", credits: 1 } as const

export const webhookRows = {
  createWebhook: {
    ...webhook,
    method: "POST",
    path: "/webhooks",
    summary: "Create a webhook endpoint",
    body: Schema.Struct({ url, events }),
    success: CreatedWebhook,
    refusals: ["VALIDATION_ERROR", "SERVER_UPSTREAM_UNAVAILABLE"]
  },
  listWebhooks: {
    ...webhook,
    method: "GET",
    path: "/webhooks",
    summary: "List the webhook endpoints",
    success: Schema.Array(WebhookView),
    refusals: []
  },
  updateWebhook: {
    ...webhook,
    method: "PATCH",
    path: "/webhooks/{id}",
    plain: true,
    summary: "Change a webhook endpoint",
    params: endpoint,
    body: Schema.Struct({
      url: Schema.optionalKey(url),
      events: Schema.optionalKey(events),
      status: Schema.optionalKey(Schema.Literals(["active", "paused"]))
    }),
    success: WebhookView,
    refusals: ["RESOURCE_NOT_FOUND", "VALIDATION_ERROR", "SERVER_UPSTREAM_UNAVAILABLE"]
  },
  deleteWebhook: {
    ...webhook,
    method: "DELETE",
    path: "/webhooks/{id}",
    summary: "Delete a webhook endpoint",
    params: endpoint,
    success: DeletedWebhook,
    refusals: ["RESOURCE_NOT_FOUND"]
  },
  testWebhook: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/test",
    summary: "Send a test.ping to a webhook endpoint",
    params: endpoint,
    success: TestResult,
    refusals: ["RESOURCE_NOT_FOUND", "VALIDATION_ERROR", "SERVER_UPSTREAM_UNAVAILABLE"]
  },
  rotateWebhookSecret: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/rotate-secret",
    summary: "Give a webhook endpoint a new secret",
    params: endpoint,
    success: RotatedSecret,
    refusals: ["RESOURCE_NOT_FOUND"]
  },
  replayWebhook: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/replay",
    summary: "Send the events of a window again",
    params: endpoint,
    body: Schema.Struct({ since: isoTime, until: isoTime }),
    success: ReplayedWindow,
    refusals: ["RESOURCE_NOT_FOUND"]
  },
  listDeliveries: {
    ...webhook,
    method: "GET",
    path: "/webhooks/{id}/deliveries",
    summary: "List the deliveries of a webhook endpoint",
    params: endpoint,
    query: Schema.Struct({ ...pageFields, status: Schema.optionalKey(Schema.Literals(deliveryStatuses)) }),
    success: Schema.Array(DeliveryItem),
    refusals: ["RESOURCE_NOT_FOUND"],
    paged: true
  },
  replayDelivery: {
    ...webhook,
    method: "POST",
    path: "/webhooks/{id}/deliveries/{delivery_id}/replay",
    summary: "Send one delivery again",
    params: Schema.Struct({ id: idText, delivery_id: idText }),
    success: DeliveryItem,
    refusals: ["RESOURCE_NOT_FOUND"]
  }
} as const satisfies Record<string, Operation>
