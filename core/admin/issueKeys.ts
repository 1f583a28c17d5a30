import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import type { ApiKey } from "../key/Key.ts"
import { keyRandomBytes, makeKey } from "../key/Key.ts"
import type { KeyAction, KeyHash, KeyId, KeyRecord, KeyState } from "../key/state.ts"
import { keyState } from "../key/state.ts"
import { isOwnOrganization, ownHolder } from "../key/testKey.ts"
import type { NewKey, InvalidNewKey } from "../key/NewKey.ts"
import { newKeyFault } from "../key/NewKey.ts"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import { Crypto } from "../port/Crypto.ts"
import type { KeysUnavailable } from "../port/Keys.ts"
import { Keys } from "../port/Keys.ts"
import type { OrganizationsUnavailable } from "../port/Organizations.ts"
import { Organizations } from "../port/Organizations.ts"

/** Why there is no new key. */
export type NotIssued =
  | { readonly _tag: "Refused"; readonly fault: InvalidNewKey }
  | { readonly _tag: "NoOrganization" }

/**
 * A new key. `key` is a secret that is kept nowhere: whoever asked for it is the only one to see it (§2.5).
 */
export interface IssuedKey {
  readonly _tag: "Issued"
  readonly record: KeyRecord
  readonly key: ApiKey
}

/** Makes a live key of 135 random bits (contract §1, Keys); only its SHA-256 is kept. */
export const issueKey = (
  input: NewKey
): Effect.Effect<IssuedKey | NotIssued, KeysUnavailable, Keys | Crypto> =>
  Effect.gen(function* () {
    const crypto = yield* Crypto
    const kept = yield* keep(
      input,
      makeKey({ mode: "live", randomBytes: crypto.randomBytes(keyRandomBytes) })
    )
    // Two draws of 135 bits never agree: a hash that is taken means that the randomness is broken.
    return kept._tag === "Taken" ? yield* Effect.die(new Error("a drawn key was issued before")) : kept
  })

/**
 * Keeps a legacy key of the operator's, which then works as it always did (contract §1, Keys). The caller
 * has seen to its prefix. `Taken`: it was issued or adopted before, perhaps by another organization, and
 * stays what it is.
 */
export const adoptKey = (
  input: NewKey,
  key: ApiKey
): Effect.Effect<IssuedKey | NotIssued | AdoptedKey, KeysUnavailable, Keys | Crypto> => keep(input, key)

export interface AdoptedKey {
  readonly _tag: "Taken"
}

/** A key and how it stands at this instant, its organization's suspension and its expiry included (§3.2). */
export interface ShownKey {
  readonly record: KeyRecord
  readonly state: KeyState
}

/**
 * Suspends, lifts or revokes (§3.2); undefined: no such key. A revoked key stays revoked whatever is asked.
 */
export const changeKey = (change: {
  readonly keyId: KeyId
  readonly action: KeyAction
  readonly reason: string | null
}): Effect.Effect<ShownKey | undefined, KeysUnavailable | OrganizationsUnavailable, Keys | Organizations> =>
  Effect.gen(function* () {
    const record = yield* (yield* Keys).change(change)
    if (record === undefined) return undefined
    const now = yield* instant
    if (isOwnOrganization(record)) return { record, state: keyState(ownHolder(record), now) }
    const organization = yield* (yield* Organizations).find(record.organizationId)
    return organization && shown(record, organization, now)
  })

/** Every key of an organization from the oldest to the newest; undefined: no such organization. */
export const listKeys = (
  organizationId: OrganizationId
): Effect.Effect<
  ReadonlyArray<ShownKey> | undefined,
  KeysUnavailable | OrganizationsUnavailable,
  Keys | Organizations
> =>
  Effect.gen(function* () {
    const organization = yield* (yield* Organizations).find(organizationId)
    if (organization === undefined) return undefined
    const now = yield* instant
    return (yield* (yield* Keys).list(organizationId)).map((record) => shown(record, organization, now))
  })

const shown = (record: KeyRecord, organization: Organization, now: IsoTime): ShownKey => ({
  record,
  state: keyState(
    {
      key: record,
      pack: organization.pack,
      organizationSuspended: organization.suspended,
      concurrentMax: organization.concurrentMax
    },
    now
  )
})

const instant = Effect.map(DateTime.now, (now) => DateTime.formatIso(now) as IsoTime)

const keep = Effect.fn("key.issue")(function* (input: NewKey, key: ApiKey) {
  const crypto = yield* Crypto
  const keys = yield* Keys
  const nowMs = yield* Clock.currentTimeMillis
  const createdAt = DateTime.formatIso(DateTime.makeUnsafe(nowMs)) as IsoTime
  const fault = newKeyFault(input, createdAt)
  if (fault !== undefined) return { _tag: "Refused", fault } as const
  const record: KeyRecord = {
    ...input,
    keyId: `key_${timeId({ nowMs, randomBytes: crypto.randomBytes(idRandomBytes) })}` as KeyId,
    hash: crypto.sha256Hex(key) as KeyHash,
    mode: "live",
    mark: "valid",
    reason: null,
    createdAt,
    lastUsedAt: null
  }
  switch (yield* keys.issue(record)) {
    case "issued":
      return { _tag: "Issued", record, key } as const
    case "taken":
      return { _tag: "Taken" } as const
    case "no_organization":
      return { _tag: "NoOrganization" } as const
  }
})
