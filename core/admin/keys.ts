import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import { overlapEndMs, pageScopes, readKeyName, rotationFault, usableKeysMax } from "../key/pageKey.ts"
import type { KeyNameFault, RotationFault } from "../key/pageKey.ts"
import type { InvalidNewKey } from "../key/NewKey.ts"
import type { KeyId, KeyRecord } from "../key/state.ts"
import { may } from "../organization/role.ts"
import type { Actor } from "../person/Person.ts"
import { identifyingName } from "../phi/storedText.ts"
import type { IdentifyingName } from "../phi/storedText.ts"
import type { KeysUnavailable } from "../port/Keys.ts"
import { Keys } from "../port/Keys.ts"
import type { OrganizationsUnavailable } from "../port/Organizations.ts"
import { changeKey, issueKey, listKeys } from "./issueKeys.ts"
import type { IssuedKey, ShownKey } from "./issueKeys.ts"
import { isoTimeOf } from "../coverage/date.ts"
import type { Done } from "./withAudit.ts"
import { withAudit } from "./withAudit.ts"
import type { Forbidden, Unknown } from "./members.ts"

export type KeyCreated =
  | IssuedKey
  | Forbidden
  | { readonly _tag: "Form"; readonly field: "name"; readonly code: KeyNameFault }
  | ({ readonly _tag: "Form"; readonly field: "name" } & IdentifyingName)
  | { readonly _tag: "Form"; readonly field: "expires"; readonly code: "already_expired" }
  /** So many can be used already. */
  | { readonly _tag: "TooMany"; readonly max: number }

export type KeyRotated =
  | (IssuedKey & { readonly before: ShownKey; readonly until: IsoTime })
  | Forbidden
  | Unknown
  | { readonly _tag: "NotRotated"; readonly because: RotationFault; readonly before: ShownKey }

export type KeyRevoked = { readonly _tag: "Revoked"; readonly before: ShownKey } | Forbidden | Unknown

/** The organization's keys, the newest first: everybody in it may see them. */
export const list = (actor: Actor) =>
  Effect.map(listKeys(actor.organizationId), (keys = []) => keys.toReversed())

/** One of the organization's keys; another's is unknown. */
export const find = (actor: Actor, keyId: string) =>
  Effect.map(listKeys(actor.organizationId), (keys = []) => keys.find(({ record }) => record.keyId === keyId))

/** Makes a key that reads (§5.5, §5.7). The answer is the only place where it is ever shown (§2.5). */
export const create = Effect.fn("managing.createKey")(function* (
  actor: Actor,
  input: { readonly name: string; readonly expiresAt: IsoTime | null }
) {
  if (!may(actor.role, "create_key")) return forbidden
  const read = readKeyName(input.name)
  if (read._tag === "Fault") return { _tag: "Form", field: "name", code: read.code } satisfies KeyCreated
  const { name } = read
  const usable = (yield* list(actor)).filter(({ state }) => state === "valid").length
  if (usable >= usableKeysMax) return { _tag: "TooMany", max: usableKeysMax } satisfies KeyCreated
  const { organizationId } = actor
  const issuing = issueKey({ ...plain, organizationId, name, expiresAt: input.expiresAt })
  const creating = Effect.map(issuing, (issued): Done<KeyCreated> => {
    switch (issued._tag) {
      case "Issued":
        return { value: issued, auditedAction: auditedActionOf("key.created", issued, `${name}, to read`) }
      case "NoOrganization":
        return { value: forbidden, auditedAction: null }
      case "Refused":
        return { value: refusedForm(issued.fault), auditedAction: null }
    }
  })
  return yield* withAudit(actor, creating)
})

/** Revokes a key for ever (§3.2); a key that was revoked before stays so, and is not written down again. */
export const revoke = Effect.fn("managing.revokeKey")(function* (actor: Actor, keyId: string) {
  if (!may(actor.role, "revoke_key")) return forbidden
  const revoking = Effect.gen(function* (): Effect.fn.Return<Done<KeyRevoked>, Unavailable, Ports> {
    const before = yield* find(actor, keyId)
    if (before === undefined) return { value: unknown, auditedAction: null }
    const value = { _tag: "Revoked", before } as const
    if (before.state === "revoked") return { value, auditedAction: null }
    yield* changeKey({ keyId: before.record.keyId, action: "revoke", reason: null })
    return { value, auditedAction: auditedActionOf("key.revoked", before, before.record.name) }
  })
  return yield* withAudit(actor, revoking)
})

/**
 * Makes a key that takes another's place: the same in all but its secret. The old one works beside it for a
 * day, so that callers change without a gap (§9).
 */
export const rotate = Effect.fn("managing.rotateKey")(function* (actor: Actor, keyId: string) {
  if (!may(actor.role, "rotate_key")) return forbidden
  const keys = yield* Keys
  const rotating = Effect.gen(function* () {
    const before = yield* find(actor, keyId)
    if (before === undefined) return { value: unknown, auditedAction: null }
    const until = isoTimeOf(overlapEndMs(yield* Clock.currentTimeMillis))
    const because = rotationFault(before.record, { state: before.state, overlapEnd: until })
    if (because !== undefined) return notDone({ _tag: "NotRotated", because, before })
    const { organizationId, expiresAt, allowedCidrs, allowedOrigins } = before.record
    const name = nameAfter(before.record)
    // Of two who rotate it at once one alone gives it its end.
    const retired = yield* keys.retire({ keyId: before.record.keyId, until })
    if (retired?.isNews !== true) return notDone({ _tag: "NotRotated", because: "ends_soon", before })
    const issued = yield* issueKey({
      ...{ ...plain, organizationId, name, expiresAt },
      ...{ allowedCidrs, allowedOrigins }
    })
    // A key that was there a moment ago has an organization, and what it was made with has no fault.
    if (issued._tag !== "Issued") return yield* Effect.die(new Error("a key was not rotated"))
    const detail = `${name}: ${issued.record.keyId} takes its place; it ends at ${until}`
    const value: KeyRotated = { ...issued, before, until }
    return { value, auditedAction: auditedActionOf("key.rotated", before, detail) }
  })
  return yield* withAudit(actor, rotating)
})

type Ports = Effect.Services<ReturnType<typeof changeKey>>
type Unavailable = KeysUnavailable | OrganizationsUnavailable

const forbidden: Forbidden = { _tag: "Forbidden" }
const unknown: Unknown = { _tag: "Unknown" }

/** What a key of the page has none of. */
const plain = { scopes: pageScopes, allowedCidrs: [], allowedOrigins: [], releaseId: null } as const

/** The page chooses the scopes itself, so only the name and the expiry can be at fault. */
const refusedForm = (fault: InvalidNewKey): KeyCreated =>
  fault.code === "patient_identifier"
    ? { _tag: "Form", field: "name", ...fault }
    : { _tag: "Form", field: "expires", code: "already_expired" }

/** A key keeps its name, except one from before names were scanned that contains a patient identifier. */
const nameAfter = ({ keyId, name }: KeyRecord): string =>
  identifyingName(name) === undefined ? name : `replaces ${keyId}`

const notDone = (value: KeyRotated): Done<KeyRotated> => ({ value, auditedAction: null })

const auditedActionOf = (
  action: "key.created" | "key.revoked" | "key.rotated",
  { record }: { readonly record: { readonly keyId: KeyId } },
  detail: string
) => ({ action, subject: record.keyId, detail }) as const
