import type * as Brand from "effect/Brand"
import * as DateTime from "effect/DateTime"
import { timeId } from "../id/timeId.ts"

/** What can happen, what it means, and whether an endpoint may ask for it by name (§6). */
export const eventTypes = {
  "compliance.acknowledged": {
    subscribable: true,
    says: "Policy changes were acknowledged in the organization"
  },
  "test.ping": {
    subscribable: false,
    says: "The test operation sent a signed and a forged test event"
  }
} as const satisfies Readonly<Record<string, { readonly subscribable: boolean; readonly says: string }>>
export type EventType = keyof typeof eventTypes

export const eventNames = Object.keys(eventTypes) as ReadonlyArray<EventType>

/** What an endpoint may name in `events`: a subscribable type, or `*` for all of them. */
export const subscriptions = ["compliance.acknowledged", "*"] as const
export type Subscription = (typeof subscriptions)[number]

/** Unknown types and test.ping are not (contract §2: VALIDATION_INVALID_FORMAT). */
export const isSubscription = (text: string): text is Subscription =>
  subscriptions.some((subscription) => subscription === text)

/**
 * Whether an event of the type goes to an endpoint that asked for `events`; a test ping goes to none by
 * itself.
 */
export const matches = (events: ReadonlyArray<Subscription>, type: EventType): boolean =>
  eventTypes[type].subscribable && events.some((event) => event === "*" || event === type)

/**
 * Names one event, and is its `webhook-id` at every endpoint, attempt and replay: `msg_` and 26 lower-case
 * Crockford characters, in order of time.
 */
export type WebhookId = string & Brand.Brand<"WebhookId">

/** `randomBytes`: `idRandomBytes` of operation/timeId.ts. */
export const makeWebhookId = (input: {
  readonly nowMs: number
  readonly randomBytes: Uint8Array
}): WebhookId => `msg_${timeId(input)}` as WebhookId

/** A body is under this many bytes of UTF-8, whatever happened (contract §2, Webhooks). */
export const eventBytesMax = 20_000

/** An event as it is kept and delivered. */
export interface WebhookEvent {
  readonly webhookId: WebhookId
  readonly type: EventType
  /** When it happened, Unix ms; the same on every attempt. */
  readonly occurredAtMs: number
  /** Thin: ids alone, no notes text. */
  readonly data: Readonly<Record<string, unknown>>
}

/** The exact body of every delivery of the event. */
export const eventBody = (event: WebhookEvent): string =>
  JSON.stringify({
    id: event.webhookId,
    type: event.type,
    timestamp: DateTime.formatIso(DateTime.makeUnsafe(event.occurredAtMs)),
    api_version: "v1",
    data: event.data
  })

/** The data of a test.ping. */
export const pingData = (endpointId: number): WebhookEvent["data"] => ({ endpoint_id: endpointId })

/** The bytes of a text in UTF-8. */
export const utf8Bytes = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4
  }
  return bytes
}
