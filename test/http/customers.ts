import * as Effect from "effect/Effect"
import type { IsoTime } from "../../core/coverage/date.ts"
import { makeKey } from "../../core/key/Key.ts"
import type { ApiKey, KeyMode } from "../../core/key/Key.ts"
import type { KeyHash, KeyId, KeyRecord } from "../../core/key/state.ts"
import { timeId } from "../../core/id/timeId.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Keys } from "../../core/port/Keys.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { createOrganization } from "../../core/admin/newOrganization.ts"

/** A customer to call as: its organization and a way to make keys. */
export interface Customer {
  readonly organizationId: OrganizationId
  readonly keyId: KeyId
  readonly key: ApiKey
}

/** A key to make; what is not said is a live key with the read scope. */
interface KeyOptions {
  readonly mode?: KeyMode
  readonly legacy?: string
  readonly record?: Partial<KeyRecord>
}

/** An organization with a key; what is not said is a read key of the Credits pack. */
export const customer = (input: KeyOptions & { readonly pack?: PackName; readonly credits?: number } = {}) =>
  Effect.gen(function* () {
    const { organizationId } = yield* createOrganization({
      name: "Example Clinic",
      pack: input.pack ?? "credits",
      ownerEmail: null
    })
    if (input.credits !== undefined) yield* grant(organizationId, input.credits)
    return yield* keyFor(organizationId, input)
  })

export const keyFor = (organizationId: OrganizationId, input: KeyOptions = {}) =>
  Effect.gen(function* () {
    const { randomBytes, sha256Hex } = yield* Crypto
    const mode = input.mode ?? "live"
    const key =
      input.legacy === undefined ? makeKey({ mode, randomBytes: randomBytes(27) }) : (input.legacy as ApiKey)
    const keyId = `key_${timeId({ nowMs: Date.now(), randomBytes: randomBytes(10) })}` as KeyId
    yield* (yield* Keys).issue({
      keyId,
      hash: sha256Hex(key) as KeyHash,
      organizationId,
      name: "test",
      mode,
      scopes: ["read"],
      mark: "valid",
      reason: null,
      createdAt: new Date().toISOString() as IsoTime,
      expiresAt: null,
      lastUsedAt: null,
      allowedCidrs: [],
      allowedOrigins: [],
      releaseId: null,
      ...input.record
    })
    return { organizationId, keyId, key } satisfies Customer
  })

const grant = (organizationId: OrganizationId, amount: number) =>
  Effect.gen(function* () {
    const nowMs = Date.now()
    const { randomBytes } = yield* Crypto
    const grantId = `grant_${timeId({ nowMs, randomBytes: randomBytes(10) })}`
    yield* (yield* Ledger).grant({ organizationId, amount, grantId, atMs: nowMs })
  })
