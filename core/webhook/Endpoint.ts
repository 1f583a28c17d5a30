import type { OrganizationId } from "../organization/Organization.ts"
import type { Subscription } from "./event.ts"
import type { SealedSecret } from "./secret.ts"

/**
 * Where an endpoint stands (contract §2, Webhooks): `paused` by its owner, `disabled` by the system,
 * `deleted` for good and hidden from every answer.
 */
export const endpointStatuses = ["active", "paused", "disabled", "deleted"] as const
export type EndpointStatus = (typeof endpointStatuses)[number]

/** An organization has at most so many endpoints that are not deleted. */
export const endpointsMax = 50
export const urlCharactersMax = 2_048
export const subscriptionsMax = 20

/** A webhook endpoint as it is kept (§2.2). */
export interface Endpoint {
  readonly endpointId: number
  readonly organizationId: OrganizationId
  readonly url: string
  readonly events: ReadonlyArray<Subscription>
  readonly status: EndpointStatus
  /** Consecutive failed attempts of real deliveries; 0 after a success and after set active. */
  readonly failureCount: number
  /** When the first of those attempts failed, Unix ms; null while `failureCount` is 0. */
  readonly failingSinceMs: number | null
  /** Newest first. */
  readonly secrets: ReadonlyArray<SealedSecret>
  readonly createdAtMs: number
  /** When its owner last changed it or the system disabled it; attempts and their failures do not move it. */
  readonly updatedAtMs: number
}

/** An endpoint that does not have its id yet. */
export type NewEndpoint = Omit<Endpoint, "endpointId">

/** An endpoint as it begins: active, and without a failure. */
export const openEndpoint = (input: {
  readonly organizationId: OrganizationId
  readonly url: string
  readonly events: ReadonlyArray<Subscription>
  readonly secret: SealedSecret
  readonly nowMs: number
}): NewEndpoint => ({
  organizationId: input.organizationId,
  url: input.url,
  events: [...new Set(input.events)],
  status: "active",
  failureCount: 0,
  failingSinceMs: null,
  secrets: [input.secret],
  createdAtMs: input.nowMs,
  updatedAtMs: input.nowMs
})
