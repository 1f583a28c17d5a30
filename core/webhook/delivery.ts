import type { OrganizationId } from "../organization/Organization.ts"
import type { EventType, WebhookId } from "./event.ts"
import { errorOf, httpStatusOf, isDelivered } from "./Outcome.ts"
import type { Outcome } from "./Outcome.ts"

/**
 * Where a delivery stands (contract §2, Webhooks): `pending` an attempt is due, the first or the next; `held`
 * the event came while its endpoint took none; `delivered`; `failed` a test that failed, which is never
 * retried; `dead` the last attempt of the schedule failed.
 */
export const deliveryStatuses = ["pending", "held", "delivered", "failed", "dead"] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly deliveryId: number
  readonly endpointId: number
  readonly organizationId: OrganizationId
  readonly webhookId: WebhookId
  readonly event: EventType
  readonly status: DeliveryStatus
  /** Attempts made in all, replays included. */
  readonly attempts: number
  /** Attempts made since it last began: where it stands in the schedule. */
  readonly step: number
  /** Of the last attempt. */
  readonly httpStatus: number | null
  /** Of the last attempt, in words that name no address. */
  readonly error: string | null
  /** Unix ms; null unless it is pending. */
  readonly nextAttemptAtMs: number | null
  readonly createdAtMs: number
}

export type NewDelivery = Omit<Delivery, "deliveryId">

/** How deliveries are tried: data, so that a test may carry another. */
export interface DeliveryPolicy {
  /**
   * The gap after the first failed attempt, the second, and so on; the attempt after the last is the last.
   */
  readonly gapsMs: ReadonlyArray<number>
  /**
   * A gap is longer or shorter by up to this share, so that what failed together does not return together.
   */
  readonly jitter: number
  /** Retry-After may stretch a gap up to so many times; it never shortens one. */
  readonly retryAfterFactorMax: number
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Ten attempts within 75 h 35 min of the first, give or take the jitter (contract §2, Webhooks). */
export const deliveryPolicy: DeliveryPolicy = {
  gapsMs: [
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    14 * hourMs,
    20 * hourMs,
    24 * hourMs
  ],
  jitter: 0.2,
  retryAfterFactorMax: 2
}

/** One attempt of a delivery has so long in all, from the look-up of the name to the end of the body. */
export const deliveryDeadlineMs = 15_000

/** What follows from an attempt. */
export type Decision =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "RetryAt"; readonly atMs: number }
  | { readonly _tag: "Dead" }
  /**
   * The receiver answered 410: its endpoint is disabled. The delivery keeps its place in the schedule and
   * waits with the others, so that no event is lost if the owner sets the endpoint active; null: it was the
   * last attempt, and the delivery is dead.
   */
  | { readonly _tag: "DisableEndpoint"; readonly retryAtMs: number | null }

/** An attempt that was made. */
export interface Attempt {
  /** Attempts made since the delivery last began, this one included: 1 for the first. */
  readonly step: number
  /** When it ended, Unix ms. */
  readonly nowMs: number
  /** Chance, from 0 to below 1. */
  readonly random: number
}

/** What follows from an outcome; total and pure. */
export const decide = (outcome: Outcome, attempt: Attempt, policy: DeliveryPolicy): Decision => {
  if (isDelivered(outcome)) return { _tag: "Delivered" }
  const delayMs = delayAfter(outcome, attempt, policy)
  const atMs = delayMs === undefined ? null : attempt.nowMs + delayMs
  if (outcome._tag === "Answered" && outcome.status === 410)
    return { _tag: "DisableEndpoint", retryAtMs: atMs }
  return atMs === null ? { _tag: "Dead" } : { _tag: "RetryAt", atMs }
}

/** The delivery after an attempt that ended so. */
export const settleDelivery = (delivery: Delivery, outcome: Outcome, decision: Decision): Delivery => ({
  ...delivery,
  ...standing(decision),
  attempts: delivery.attempts + 1,
  step: delivery.step + 1,
  httpStatus: httpStatusOf(outcome),
  error: errorOf(outcome)
})

/** A delivery as it begins: due at once, or held for a replay. */
export const openDelivery = (input: {
  readonly endpointId: number
  readonly organizationId: OrganizationId
  readonly webhookId: WebhookId
  readonly event: EventType
  readonly fate: "pending" | "held"
  readonly nowMs: number
}): NewDelivery => ({
  endpointId: input.endpointId,
  organizationId: input.organizationId,
  webhookId: input.webhookId,
  event: input.event,
  status: input.fate,
  attempts: 0,
  step: 0,
  httpStatus: null,
  error: null,
  nextAttemptAtMs: input.fate === "pending" ? input.nowMs : null,
  createdAtMs: input.nowMs
})

/**
 * A delivery sent again by its owner, under the same webhook-id and from the first step of the schedule, in
 * whatever state it was; it waits like any pending one while its endpoint takes none. Tests are not replayed.
 */
export const replayDelivery = (delivery: Delivery, nowMs: number): Delivery =>
  delivery.event === "test.ping"
    ? delivery
    : { ...delivery, status: "pending", step: 0, nextAttemptAtMs: nowMs }

/** When a pending delivery of an endpoint that is active again is tried: what is overdue goes at once. */
export const resumeDelivery = (delivery: Delivery, nowMs: number): Delivery =>
  delivery.status === "pending"
    ? { ...delivery, nextAttemptAtMs: Math.max(nowMs, delivery.nextAttemptAtMs ?? nowMs) }
    : delivery

const standing = (decision: Decision): Pick<Delivery, "status" | "nextAttemptAtMs"> => {
  switch (decision._tag) {
    case "Delivered":
      return { status: "delivered", nextAttemptAtMs: null }
    case "RetryAt":
      return { status: "pending", nextAttemptAtMs: decision.atMs }
    case "Dead":
      return { status: "dead", nextAttemptAtMs: null }
    case "DisableEndpoint":
      return {
        status: decision.retryAtMs === null ? "dead" : "pending",
        nextAttemptAtMs: decision.retryAtMs
      }
  }
}

/**
 * Retry-After takes the place of chance: the receiver itself spreads its callers. Undefined: no gap is
 * left.
 */
const delayAfter = (outcome: Outcome, attempt: Attempt, policy: DeliveryPolicy): number | undefined => {
  const baseMs = policy.gapsMs[attempt.step - 1]
  if (baseMs === undefined) return undefined
  const askedMs = outcome._tag === "Answered" ? outcome.retryAfterMs : null
  return askedMs === null
    ? Math.round(baseMs * (1 - policy.jitter + 2 * policy.jitter * attempt.random))
    : Math.min(Math.max(askedMs, baseMs), baseMs * policy.retryAfterFactorMax)
}
