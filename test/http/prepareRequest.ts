import * as Effect from "effect/Effect"
import { operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { standIns } from "../../core/operation/Operation.ts"
import { certifiedScope } from "../../core/operation/scope.ts"
import type { Scope } from "../../core/operation/scope.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Deliveries } from "../../core/port/Deliveries.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { openDelivery } from "../../core/webhook/delivery.ts"
import { openEndpoint } from "../../core/webhook/Endpoint.ts"
import type { WebhookId } from "../../core/webhook/event.ts"
import { makeWebhookSecrets } from "../../core/handler/webhookSecrets.ts"
import type { TestRequest } from "./TestRequest.ts"
import { seededReleaseId } from "./seededRelease.ts"

/** The customer whom the operation's gates let pass: the least pack and scopes. */
export const optionsFor = (id: OperationId) => {
  const { feature, requirement } = operationRow(id)
  const isCertified = requirement === "certified"
  const scopes: ReadonlyArray<Scope> = isCertified ? [certifiedScope] : [requirement ?? "read"]
  const releaseId = isCertified ? seededReleaseId : null
  return { pack: feature === null ? ("credits" as const) : ("scale" as const), record: { scopes, releaseId } }
}

/** A scope that the operation does not take. */
export const otherScope = (id: OperationId): Scope =>
  operationRow(id).requirement === "write" ? "read" : "write"

/** The stand-in for an endpoint of the caller's own, or one at a reserved host. */
const placeholder = /\$WEBHOOK|\{webhook [\w-]+\}/

/** The request with the ids of an endpoint of the organization's and of a delivery in place of stand-ins. */
export const prepareRequest = Effect.fnUntraced(function* (
  asked: TestRequest,
  organizationId: OrganizationId
) {
  const host = /\{webhook ([\w-]+)\}/.exec(asked.path)?.[1] ?? "ok"
  if (!placeholder.test(asked.path)) return asked
  const endpoints = yield* Endpoints
  const secrets = yield* makeWebhookSecrets
  const nowMs = Date.now()
  const { sealed: secret } = secrets.draw(organizationId, nowMs)
  const url = `https://${host}.example.com/in`
  const made = yield* endpoints.create(openEndpoint({ organizationId, url, events: ["*"], secret, nowMs }))
  if (made === "full") return yield* Effect.die("an organization of a test has few endpoints")
  const { endpointId } = made
  const webhookId = `msg_${endpointId}` as WebhookId
  const opened = { endpointId, organizationId, webhookId, event: "compliance.acknowledged", nowMs } as const
  const { deliveryId } = yield* (yield* Deliveries).record(openDelivery({ ...opened, fate: "held" }))
  const path = asked.path
    .replace(placeholder, String(endpointId))
    .replace(standIns.delivery, String(deliveryId))
  return { ...asked, path }
})
