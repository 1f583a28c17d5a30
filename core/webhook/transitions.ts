import type { Endpoint, EndpointStatus } from "./Endpoint.ts"
import type { EventType, Subscription } from "./event.ts"
import { matches } from "./event.ts"
import type { Decision } from "./delivery.ts"
import type { SealedSecret } from "./secret.ts"
import { rotateSecret } from "./secret.ts"

/** What can befall an endpoint. */
export const endpointTriggers = [
  /** PATCH with status active (§3.1). */
  "set_active",
  /** PATCH with status paused. */
  "set_paused",
  /** PATCH without a status, and rotate-secret. */
  "amended",
  /** An attempt of a real delivery, replays included, was answered with 2xx. */
  "succeeded",
  /** Such an attempt failed, a refused address included. */
  "failed",
  /** Such an attempt failed, and everything has for five days. */
  "failed_for_days",
  /** Such an attempt was answered with 410. */
  "gone",
  "deleted",
  /** The organization leaves or regains the pack that has webhooks: no state of the endpoint's own. */
  "pack_lost",
  "pack_regained"
] as const
export type EndpointTrigger = (typeof endpointTriggers)[number]

/** What becomes of the endpoint's deliveries that are pending or held. */
export type DeliveriesEffect =
  | "none"
  /** Pending ones wait where they are, new events are held. */
  | "wait"
  /**
   * Pending ones are offered again (`resume` in delivery.ts); held ones stay for a replay of their window.
   */
  | "resume"
  /** None of them is ever sent. */
  | "drop"

interface Transition {
  readonly next: EndpointStatus
  readonly failures: "keep" | "reset" | "count"
  /** Whether `updatedAtMs` moves. */
  readonly updated: boolean
  readonly deliveries: DeliveriesEffect
}

/** Whether an attempt is made, and a new event goes out at once, is a column here and nowhere else. */
export const statusRows = {
  active: { attempts: true, shown: true },
  paused: { attempts: false, shown: true },
  disabled: { attempts: false, shown: true },
  deleted: { attempts: false, shown: false }
} as const satisfies Readonly<Record<EndpointStatus, { readonly attempts: boolean; readonly shown: boolean }>>

const stays = (next: EndpointStatus) =>
  ({ next, failures: "keep", updated: false, deliveries: "none" }) as const satisfies Transition

const nothing = stays("deleted")

/** What befalls every endpoint alike that is not deleted. */
const common = (same: EndpointStatus) =>
  ({
    set_active: { next: "active", failures: "reset", updated: true, deliveries: "resume" },
    set_paused: { next: "paused", failures: "keep", updated: true, deliveries: "wait" },
    amended: { ...stays(same), updated: true },
    succeeded: { ...stays(same), failures: "reset" },
    failed: { ...stays(same), failures: "count" },
    failed_for_days: { ...stays(same), failures: "count" },
    gone: { next: "disabled", failures: "count", updated: true, deliveries: "wait" },
    deleted: { next: "deleted", failures: "keep", updated: true, deliveries: "drop" },
    pack_lost: { ...stays(same), deliveries: "wait" },
    pack_regained: stays(same)
  }) as const satisfies Readonly<Record<EndpointTrigger, Transition>>

/**
 * The state machine of §3.1 and contract §2, Webhooks. An attempt that was under way when its endpoint was
 * paused or disabled still counts; deleted is final.
 */
export const endpointTransitions: Readonly<
  Record<EndpointStatus, Readonly<Record<EndpointTrigger, Transition>>>
> = {
  active: {
    ...common("active"),
    // Its deliveries never stopped.
    set_active: { next: "active", failures: "reset", updated: true, deliveries: "none" },
    failed_for_days: { next: "disabled", failures: "count", updated: true, deliveries: "wait" },
    pack_regained: { ...stays("active"), deliveries: "resume" }
  },
  paused: common("paused"),
  disabled: { ...common("disabled"), gone: { ...stays("disabled"), failures: "count" } },
  deleted: {
    set_active: nothing,
    set_paused: nothing,
    amended: nothing,
    succeeded: nothing,
    failed: nothing,
    failed_for_days: nothing,
    gone: nothing,
    deleted: nothing,
    pack_lost: nothing,
    pack_regained: nothing
  }
}

/** An endpoint is disabled once everything failed for so long, and so often (contract §2, Webhooks). */
export const givingUp = { failingMs: 5 * 86_400_000, failures: 10 } as const

/** An endpoint after a trigger, and what becomes of its deliveries. */
export interface EndpointTransition {
  readonly endpoint: Endpoint
  readonly deliveries: DeliveriesEffect
}

export const moveEndpoint = (
  endpoint: Endpoint,
  trigger: EndpointTrigger,
  nowMs: number
): EndpointTransition => {
  const { next, failures, updated, deliveries } = endpointTransitions[endpoint.status][trigger]
  return {
    endpoint: {
      ...endpoint,
      ...failuresAfter(endpoint, failures, nowMs),
      status: next,
      updatedAtMs: updated ? nowMs : endpoint.updatedAtMs
    },
    deliveries
  }
}

/** PATCH /webhooks/{id}, already validated; at least one field is there (§4.3). */
export interface EndpointPatch {
  readonly url?: string
  readonly events?: ReadonlyArray<Subscription>
  readonly status?: "active" | "paused"
}

const patchTriggers = { active: "set_active", paused: "set_paused" } as const

export const patchEndpoint = (
  endpoint: Endpoint,
  patch: EndpointPatch,
  nowMs: number
): EndpointTransition => {
  if (endpoint.status === "deleted" || isStanding(endpoint, patch)) return { endpoint, deliveries: "none" }
  const amended: Endpoint = {
    ...endpoint,
    url: patch.url ?? endpoint.url,
    events: patch.events === undefined ? endpoint.events : [...new Set(patch.events)]
  }
  return moveEndpoint(amended, patch.status === undefined ? "amended" : patchTriggers[patch.status], nowMs)
}

/** What is active and has not failed is not changed by being set active. */
const isStanding = ({ status, failureCount }: Endpoint, patch: EndpointPatch): boolean =>
  status === "active" &&
  failureCount === 0 &&
  patch.status === "active" &&
  patch.url === undefined &&
  patch.events === undefined

/**
 * The endpoint after a patch that moves nothing but its own row's url and events: neither its state nor its
 * failures, and no delivery. Undefined: the patch does more, or the endpoint is deleted.
 */
export const amendEndpoint = (
  endpoint: Endpoint,
  patch: EndpointPatch,
  nowMs: number
): Endpoint | undefined => {
  const { endpoint: after, deliveries } = patchEndpoint(endpoint, patch, nowMs)
  const isPlain =
    endpoint.status !== "deleted" &&
    after.status === endpoint.status &&
    after.failureCount === endpoint.failureCount &&
    deliveries === "none"
  return isPlain ? after : undefined
}

/** POST /webhooks/{id}/rotate-secret: the secret before signs beside the fresh one for 24 hours. */
export const rotateEndpointSecret = (
  endpoint: Endpoint,
  fresh: SealedSecret,
  nowMs: number
): EndpointTransition =>
  endpoint.status === "deleted"
    ? { endpoint, deliveries: "none" }
    : moveEndpoint({ ...endpoint, secrets: rotateSecret(endpoint.secrets, fresh, nowMs) }, "amended", nowMs)

/** The endpoint after an attempt of a real delivery; a test moves nothing and is not told here. */
export const afterAttempt = (endpoint: Endpoint, decision: Decision, nowMs: number): EndpointTransition =>
  moveEndpoint(endpoint, triggerOf(endpoint, decision, nowMs), nowMs)

/** Whether an attempt may be made now: the endpoint is active and its organization's pack has webhooks. */
export const mayAttempt = (endpoint: Endpoint, pack: { readonly hasWebhooks: boolean }): boolean =>
  statusRows[endpoint.status].attempts && pack.hasWebhooks

/** What becomes of a new event at an endpoint; undefined: it makes no delivery there. */
export const fateOfEvent = (
  endpoint: Endpoint,
  type: EventType,
  pack: { readonly hasWebhooks: boolean }
): "pending" | "held" | undefined => {
  if (!statusRows[endpoint.status].shown || !matches(endpoint.events, type)) return undefined
  return mayAttempt(endpoint, pack) ? "pending" : "held"
}

const triggerOf = (endpoint: Endpoint, decision: Decision, nowMs: number): EndpointTrigger => {
  switch (decision._tag) {
    case "Delivered":
      return "succeeded"
    case "DisableEndpoint":
      return "gone"
    case "RetryAt":
    case "Dead": {
      const { failureCount, failingSinceMs } = failuresAfter(endpoint, "count", nowMs)
      const days = nowMs - (failingSinceMs ?? nowMs) >= givingUp.failingMs
      return days && failureCount >= givingUp.failures ? "failed_for_days" : "failed"
    }
  }
}

type Failures = Pick<Endpoint, "failureCount" | "failingSinceMs">

const failuresAfter = (
  { failureCount, failingSinceMs }: Failures,
  change: Transition["failures"],
  nowMs: number
): Failures => {
  switch (change) {
    case "keep":
      return { failureCount, failingSinceMs }
    case "reset":
      return { failureCount: 0, failingSinceMs: null }
    case "count":
      return { failureCount: failureCount + 1, failingSinceMs: failingSinceMs ?? nowMs }
  }
}
