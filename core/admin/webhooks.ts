import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { decodeInput } from "../admission/decode.ts"
import { dayOf } from "../coverage/date.ts"
import { isRefusal } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import { packs } from "../organization/pack.ts"
import { may } from "../organization/role.ts"
import type { Permission } from "../organization/role.ts"
import type { Actor } from "../person/Person.ts"
import { Crypto } from "../port/Crypto.ts"
import { Deliveries } from "../port/Deliveries.ts"
import { Endpoints } from "../port/Endpoints.ts"
import { Organizations } from "../port/Organizations.ts"
import { Transactions } from "../port/Transactions.ts"
import type { WorkResult } from "../port/Transactions.ts"
import type { DeliveryStatus } from "../webhook/delivery.ts"
import { makeDeliveryHandlers } from "../handler/deliveries.ts"
import type { AnyWriteHandler, CallContext, DataOf, Outcome, Unavailable } from "../handler/Handler.ts"
import { isoTimeOf } from "../coverage/date.ts"
import type { WritePlan } from "../handler/WritePlan.ts"
import { makeWebhookHandlers } from "../handler/webhooks.ts"
import { makeWebhookTestHandler } from "../handler/webhookTest.ts"
import type { Forbidden, Unknown } from "./members.ts"

/** The operations of webhooks that change something, and who may do them from the page. */
const webhookActions = {
  createWebhook: "change_webhook",
  updateWebhook: "change_webhook",
  deleteWebhook: "change_webhook",
  rotateWebhookSecret: "change_webhook",
  testWebhook: "change_webhook",
  replayDelivery: "replay_delivery",
  replayWebhook: "replay_delivery"
} as const satisfies Record<string, Permission>
type WebhookActionId = keyof typeof webhookActions

export type WebhookOutcome<Id extends WebhookActionId> =
  | { readonly _tag: "Done"; readonly data: DataOf<Id> }
  /** What was written is refused as the API refuses it; the faults stand in the refusal's details. */
  | { readonly _tag: "Refused"; readonly refusal: Refusal }
  /** Too many tests of one endpoint (contract §2, Webhooks). */
  | { readonly _tag: "Limited"; readonly retryAfterSeconds: number }
  /** The pack has no webhooks. */
  | { readonly _tag: "NeedsScale" }
  | Forbidden
  | Unknown

/** Whether the organization's pack has webhooks, and its endpoints, which outlive a lower pack. */
export const list = Effect.fn("managing.webhooks")(function* ({ organizationId }: Actor) {
  return {
    hasWebhooks: yield* hasWebhooks(organizationId),
    endpoints: yield* (yield* Endpoints).list(organizationId)
  }
})

/** An endpoint of the organization; undefined: there is none, or it is another's. */
export const find = Effect.fn("managing.webhook")(function* ({ organizationId }: Actor, endpointId: number) {
  const endpoint = yield* (yield* Endpoints).find({ organizationId, endpointId })
  return endpoint && { hasWebhooks: yield* hasWebhooks(organizationId), endpoint }
})

/** A page of an endpoint's delivery log, the newest first. */
export const deliveries = (
  { organizationId }: Actor,
  query: {
    readonly endpointId: number
    readonly status: DeliveryStatus | null
    readonly before: number | null
  }
) => Effect.flatMap(Deliveries, (log) => log.list({ ...query, organizationId, limit: deliveriesPageMax }))

/** A page of the log is as long as a screen or two. */
export const deliveriesPageMax = 25

/**
 * What the API does for a key, for a person: the same decoding, the same handler and the same line in the
 * log, but for credits, which the page does not spend, and a member's role in place of a scope.
 */
export const change = Effect.fn("managing.changeWebhook")(function* <Id extends WebhookActionId>(
  actor: Actor,
  id: Id,
  given: { readonly endpointId?: number; readonly deliveryId?: number; readonly body?: object }
): Effect.fn.Return<WebhookOutcome<Id>, Unavailable, Ports> {
  if (!may(actor.role, webhookActions[id])) return { _tag: "Forbidden" }
  if (!(yield* hasWebhooks(actor.organizationId))) return { _tag: "NeedsScale" }
  const input = decodeInput(id, rawOf(given), { _tag: "Text", text: textOf(given.body) })
  if (isRefusal(input)) return refusedAs(input)
  const handlers = {
    ...(yield* makeWebhookHandlers),
    ...(yield* makeWebhookTestHandler),
    ...(yield* makeDeliveryHandlers)
  }
  const handler = handlers[id] as AnyWriteHandler
  const outcome = yield* carryOut(handler(input, yield* contextOf(actor)))
  if (isRefusal(outcome)) return refusedAs(outcome)
  switch (outcome._tag) {
    case "Limited":
      return {
        _tag: "Limited",
        retryAfterSeconds: Math.max(1, Math.ceil(outcome.decision.retryAfterMs / 1_000))
      }
    case "Data":
      return { _tag: "Done", data: outcome.data as DataOf<Id> }
    case "Text":
      return yield* Effect.die(new Error("a write answers data"))
  }
})

type Ports =
  | Effect.Services<typeof makeWebhookHandlers>
  | Effect.Services<typeof makeWebhookTestHandler>
  | Effect.Services<typeof makeDeliveryHandlers>
  | Organizations
  | Transactions

const hasWebhooks = Effect.fnUntraced(function* (organizationId: Actor["organizationId"]) {
  const organization = yield* (yield* Organizations).find(organizationId)
  return organization !== undefined && packs[organization.pack].webhooks
})

/** As a JSON call would bring it. */
const rawOf = (given: {
  readonly endpointId?: number
  readonly deliveryId?: number
  readonly body?: object
}) => ({
  params: {
    id: given.endpointId === undefined ? undefined : String(given.endpointId),
    delivery_id: given.deliveryId === undefined ? undefined : String(given.deliveryId)
  },
  query: {},
  accept: undefined,
  contentType: given.body === undefined ? undefined : "application/json",
  contentEncoding: undefined
})

const textOf = (body: object | undefined): string => (body === undefined ? "" : JSON.stringify(body))

const contextOf = Effect.fnUntraced(function* (actor: Actor) {
  const { randomBytes } = yield* Crypto
  const nowMs = yield* Clock.currentTimeMillis
  const now = isoTimeOf(nowMs)
  const { email, personId } = actor.person
  return {
    now,
    today: dayOf(now),
    position: null,
    requestId: `req_${timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })}`,
    caller: {
      organizationId: actor.organizationId,
      pack: "scale",
      releaseId: null,
      auditor: { kind: "person", id: personId, label: email }
    }
  } satisfies CallContext
})

/** A write of its own: what its work refuses leaves nothing behind. */
const carryOut = Effect.fnUntraced(function* (plan: WritePlan<Outcome<unknown>, Unavailable>) {
  const { write } = yield* Transactions
  const { work: inside } = plan._tag === "Prepare" ? yield* plan.prepare : plan
  const written = yield* write({
    claim: undefined,
    charge: undefined,
    work: Effect.map(
      inside,
      (value): WorkResult<Outcome<unknown>> =>
        isRefusal(value) || value._tag === "Limited"
          ? { _tag: "Undo", value }
          : { _tag: "Keep", value, answer: noAnswer }
    )
  })
  switch (written._tag) {
    case "Committed":
    case "Undone":
      return written.value
    case "Exhausted":
    case "Stale":
      // Without a claim and a charge nothing bars a write.
      return yield* Effect.die(new Error(written._tag))
  }
})

const refusedAs = (refusal: Refusal): Unknown | { readonly _tag: "Refused"; readonly refusal: Refusal } =>
  refusal.code === "RESOURCE_NOT_FOUND" ? { _tag: "Unknown" } : { _tag: "Refused", refusal }

const noAnswer = new Uint8Array(0)
