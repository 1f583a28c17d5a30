import type * as Brand from "effect/Brand"
import type { IsoTime } from "../coverage/date.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { PackName } from "../organization/pack.ts"
import type { Scope } from "../operation/scope.ts"

/** `key_` and 26 lower-case Crockford characters; says nothing of the key itself. */
export type KeyId = string & Brand.Brand<"KeyId">
/** SHA-256 (hex) of the whole key, the only thing of it that is kept (§2.5). */
export type KeyHash = string & Brand.Brand<"KeyHash">

/** How a key stands apart from time; `expired` follows from `expiresAt` (§3.2). */
export const keyStatuses = ["valid", "suspended", "revoked"] as const
export type KeyStatus = (typeof keyStatuses)[number]
export type KeyState = KeyStatus | "expired"

/** A key as it is kept. */
export interface KeyRecord {
  readonly keyId: KeyId
  readonly hash: KeyHash
  readonly organizationId: OrganizationId
  readonly name: string
  readonly mode: "live" | "test"
  readonly scopes: ReadonlyArray<Scope>
  readonly mark: KeyStatus
  readonly reason: string | null
  readonly createdAt: IsoTime
  readonly expiresAt: IsoTime | null
  readonly lastUsedAt: IsoTime | null
  /** Empty: any address. */
  readonly allowedCidrs: ReadonlyArray<string>
  /** Empty: any origin, without CORS headers. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** The certified release the key is for. */
  readonly releaseId: string | null
}

/** A key and what every call needs to know of its organization: one read. */
export interface KeyHolder {
  readonly key: KeyRecord
  readonly pack: PackName
  readonly organizationSuspended: boolean
  readonly concurrentMax: number | null
}

/** Revoked is final and outlives every other state; expiry is judged at use (§3.2). */
export const keyState = (holder: KeyHolder, now: IsoTime): KeyState => {
  if (holder.key.mark === "revoked") return "revoked"
  if (holder.key.expiresAt !== null && holder.key.expiresAt <= now) return "expired"
  return holder.organizationSuspended ? "suspended" : holder.key.mark
}

/** What an operator may do to a key, and what it becomes; a revoked key stays revoked (§3.2). */
export const keyActions = ["suspend", "unsuspend", "revoke"] as const
export type KeyAction = (typeof keyActions)[number]

export const keyTransitions: Readonly<Record<KeyStatus, Readonly<Record<KeyAction, KeyStatus>>>> = {
  valid: { suspend: "suspended", unsuspend: "valid", revoke: "revoked" },
  suspended: { suspend: "suspended", unsuspend: "valid", revoke: "revoked" },
  revoked: { suspend: "revoked", unsuspend: "revoked", revoke: "revoked" }
}
