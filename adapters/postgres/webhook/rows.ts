import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import type { PackName } from "../../../core/organization/pack.ts"
import { packs } from "../../../core/organization/pack.ts"
import { packInForce } from "../../../core/organization/renewal.ts"
import type { Delivery, DeliveryStatus } from "../../../core/webhook/delivery.ts"
import type { Endpoint, EndpointStatus } from "../../../core/webhook/Endpoint.ts"
import type { EventType, Subscription, WebhookId } from "../../../core/webhook/event.ts"
import type { SealedSecret } from "../../../core/webhook/secret.ts"

export interface EndpointRow {
  readonly endpoint_id: bigint
  readonly organization_id: OrganizationId
  readonly url: string
  readonly events: ReadonlyArray<Subscription>
  readonly status: EndpointStatus
  readonly failure_count: number
  readonly failing_since: Date | null
  readonly secrets: ReadonlyArray<SecretJson>
  readonly created_at: Date
  readonly updated_at: Date
}

type SecretJson = Omit<SealedSecret, "sealed"> & { readonly sealed: string }

export const endpointOf = (row: EndpointRow): Endpoint => ({
  endpointId: Number(row.endpoint_id),
  organizationId: row.organization_id,
  url: row.url,
  events: row.events,
  status: row.status,
  failureCount: row.failure_count,
  failingSinceMs: row.failing_since?.getTime() ?? null,
  secrets: row.secrets.map((secret) => ({ ...secret, sealed: bytesOf(secret.sealed) })),
  createdAtMs: row.created_at.getTime(),
  updatedAtMs: row.updated_at.getTime()
})

/** Secrets as their column holds them: sealed, and in base64 since JSON has no bytes. */
export const secretsJson = (secrets: ReadonlyArray<SealedSecret>): string =>
  JSON.stringify(secrets.map((secret) => ({ ...secret, sealed: Base64.encode(secret.sealed) })))

const bytesOf = (base64: string): Uint8Array =>
  Result.getOrElse(Base64.decode(base64), () => new Uint8Array())

export interface DeliveryRow {
  readonly delivery_id: bigint
  readonly endpoint_id: bigint
  readonly organization_id: OrganizationId
  readonly webhook_id: WebhookId
  readonly event: EventType
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly step: number
  readonly turn: number
  readonly http_status: number | null
  readonly error: string | null
  readonly next_attempt_at: Date | null
  readonly created_at: Date
}

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  deliveryId: Number(row.delivery_id),
  endpointId: Number(row.endpoint_id),
  organizationId: row.organization_id,
  webhookId: row.webhook_id,
  event: row.event,
  status: row.status,
  attempts: row.attempts,
  step: row.step,
  httpStatus: row.http_status,
  error: row.error,
  nextAttemptAtMs: row.next_attempt_at?.getTime() ?? null,
  createdAtMs: row.created_at.getTime()
})

/** The account beside a row; null where the organization has none: a test key. */
export interface PackRow {
  readonly pack: PackName | null
  readonly next_pack: PackName | null
  readonly renews_at: Date | null
}

/** Whether the pack in force has webhooks; a test key has them. */
export const hasWebhooks = (row: PackRow | undefined, nowMs: number): boolean => {
  if (row === undefined || row.pack === null || row.renews_at === null) return packs.scale.webhooks
  const account = { pack: row.pack, nextPack: row.next_pack, renewsAtMs: row.renews_at.getTime() }
  return packs[packInForce(account, nowMs).pack].webhooks
}

/** Unix ms as a parameter for a timestamptz. */
export const time = (ms: number): Date => new Date(ms)
export const timeOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))
