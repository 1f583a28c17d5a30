import * as Effect from "effect/Effect"
import type { ApiKey } from "../../core/key/Key.ts"
import type { KeyAction, KeyId, KeyRecord } from "../../core/key/state.ts"
import { isOwnOrganization } from "../../core/key/testKey.ts"
import type { NewKey, InvalidNewKey } from "../../core/key/NewKey.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { ShownKey } from "../../core/admin/issueKeys.ts"
import { adoptKey, changeKey, issueKey, listKeys } from "../../core/admin/issueKeys.ts"
import { asOperator } from "../../core/admin/asOperator.ts"
import type { OperatorAction } from "../../core/admin/asOperator.ts"
import type { Answer } from "./Answer.ts"
import { nameNotAllowed, unknownOrganization } from "./organizations.ts"
import { refuse } from "./CommandRefused.ts"
import { availableRelease } from "./releases.ts"
import { alignColumns } from "./table.ts"

/** `keys create`: the only answer that holds a key, and the only time it is shown (contract §4). */
export const create = Effect.fnUntraced(function* (input: NewKey) {
  if (input.releaseId !== null) yield* availableRelease(input.releaseId)
  const issued = yield* asOperator(issueKey(input), createdAction)
  switch (issued._tag) {
    case "NoOrganization":
      return yield* unknownOrganization
    case "Refused":
      return yield* refusedKey(issued.fault)
    case "Issued": {
      const { expiresAt, keyId, scopes } = issued.record
      const card = alignColumns([
        ["key id", keyId],
        ["key", issued.key],
        ["scopes", scopes.join(", ")],
        ["expires", expiresAt ?? "never"]
      ])
      return {
        json: { key_id: keyId, key: issued.key, scopes, expires_at: expiresAt },
        text: [...card, "", "Keep the key now: it is stored nowhere and will not be shown again."]
      } satisfies Answer
    }
  }
})

/** `keys adopt` */
export const adopt = Effect.fnUntraced(function* (input: NewKey, key: ApiKey) {
  const adopted = yield* asOperator(adoptKey(input, key), createdAction)
  switch (adopted._tag) {
    case "NoOrganization":
      return yield* unknownOrganization
    case "Refused":
      return yield* refusedKey(adopted.fault)
    case "Taken":
      return yield* refuse("KEY_TAKEN", "This key was issued or adopted before; it stays as it is.")
    case "Issued": {
      const { keyId } = adopted.record
      const text = [`The key was adopted as ${keyId} and works from now on.`]
      return { json: { key_id: keyId }, text } satisfies Answer
    }
  }
})

/** `keys suspend`, `keys unsuspend`, `keys revoke` */
export const change = Effect.fnUntraced(function* (wanted: {
  readonly keyId: KeyId
  readonly action: KeyAction
  readonly reason: string | null
}) {
  const changed = yield* asOperator(changeKey(wanted), (shown) =>
    shown === undefined || wanted.action !== "revoke" ? undefined : revokedAction(shown, wanted.reason)
  )
  if (changed === undefined) {
    return yield* refuse(
      "RESOURCE_NOT_FOUND",
      "There is no key with this id: an id begins with key_, and `keys list` shows those of an organization."
    )
  }
  const {
    record: { keyId, mark },
    state
  } = changed
  if (mark === "revoked" && wanted.action !== "revoke")
    return yield* refuse("AUTH_KEY_REVOKED", `${keyId} is revoked, which is final: nothing was changed.`)
  return { json: { key_id: keyId, state }, text: [`${keyId} is ${state}.`] } satisfies Answer
})

/** `keys list`: what is known of each key, which is never the key. */
export const list = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const keys = yield* listKeys(organizationId)
  if (keys === undefined) return yield* unknownOrganization
  return {
    json: { keys: keys.map(listed) },
    text: keys.length === 0 ? ["This organization has no keys."] : alignColumns([heading, ...keys.map(row)])
  } satisfies Answer
})

/** What a new key is written down as; adopted ones as well. */
const createdAction = (issued: {
  readonly _tag: string
  readonly record?: KeyRecord
}): OperatorAction | undefined =>
  issued.record && {
    organizationId: issued.record.organizationId,
    action: "key.created",
    subject: issued.record.keyId,
    detail: `${issued.record.name}, scopes ${issued.record.scopes.join(", ")}`
  }

/** A test key that is an organization of its own has nobody who reads its log. */
const revokedAction = ({ record }: ShownKey, reason: string | null): OperatorAction | undefined =>
  isOwnOrganization(record)
    ? undefined
    : {
        organizationId: record.organizationId,
        action: "key.revoked",
        subject: record.keyId,
        detail: reason === null ? record.name : `${record.name}: ${reason}`
      }

const heading = ["KEY ID", "STATE", "SCOPES", "EXPIRES", "LAST USED", "NAME"]

const row = ({ record, state }: ShownKey): ReadonlyArray<string> => [
  record.keyId,
  state,
  record.scopes.join(","),
  record.expiresAt ?? "never",
  record.lastUsedAt ?? "never",
  record.name
]

const listed = ({ record, state }: ShownKey) => ({
  key_id: record.keyId,
  name: record.name,
  mode: record.mode,
  scopes: record.scopes,
  state,
  reason: record.reason,
  created_at: record.createdAt,
  expires_at: record.expiresAt,
  last_used_at: record.lastUsedAt,
  allowed_cidrs: record.allowedCidrs,
  allowed_origins: record.allowedOrigins,
  release_id: record.releaseId
})

const refusedKey = (fault: InvalidNewKey) =>
  fault.code === "patient_identifier" ? nameNotAllowed(fault.kinds) : refusals[fault.code]

const refusals = {
  no_scope: refuse("VALIDATION_REQUIRED_FIELD", "--scopes needs at least one scope."),
  scopes_mixed: refuse(
    "VALIDATION_INVALID_FORMAT",
    "--scopes must not mix certified:derived_decision:read with others: make one key for each."
  ),
  release_unread: refuse(
    "VALIDATION_INVALID_FORMAT",
    "--release is for a key with the scope certified:derived_decision:read."
  ),
  already_expired: refuse("VALIDATION_OUT_OF_RANGE", "--expires must lie in the future.")
} satisfies Record<Exclude<InvalidNewKey["code"], "patient_identifier">, unknown>
