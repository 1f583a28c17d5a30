import type { AuditActor } from "../audit/AuditEntry.ts"
import type { KeyHolder } from "../key/state.ts"
import { ownOrganization } from "../key/testKey.ts"
import type { LimitPolicy } from "../limit/policy.ts"
import { policyFor } from "../limit/policy.ts"
import type { TokenHolder } from "../oauth/TokenHolder.ts"
import { satisfies, scopes } from "../operation/scope.ts"
import type { Requirement, Scope } from "../operation/scope.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { PackName } from "../organization/pack.ts"
import { sandboxLimits } from "../organization/pack.ts"
import type { Caller } from "../workflow/Handler.ts"

/** Who calls, as all later steps see it; made once for a key that is kept, however many calls it makes. */
export interface Party {
  /** The key that was used; undefined: a token, or nobody. */
  readonly holder: KeyHolder | undefined
  /** What handlers learn of the caller. */
  readonly caller: Caller
  /** Whether its scopes satisfy each requirement. */
  readonly may: Readonly<Record<Requirement, boolean>>
  /** Whose limits a call uses, and which they are. */
  readonly subject: string
  readonly limits: LimitPolicy
  /** Who called, for the usage row: a key's id or an app's, and the person that the app acts for. */
  readonly payer: { readonly caller: string; readonly source: "api" | "mcp"; readonly person?: string }
}

/** A key's on /api/v1: its organization's. */
export const partyOfKey = (holder: KeyHolder): Party =>
  held(holder, ({ key, pack, concurrentMax }) => ({
    ...of({ organizationId: key.organizationId, pack, releaseId: key.releaseId, auditor: auditorOf(key) }),
    holder,
    may: allowed(key.scopes),
    subject: `org:${key.organizationId}`,
    limits: policyFor(pack, concurrentMax),
    payer: { caller: key.keyId, source: "api" }
  }))

/** A test key's: nobody but the key itself, whatever organization it was made for (contract §3). */
export const partyOfTestKey = (holder: KeyHolder): Party =>
  held(holder, ({ key, pack }) => ({
    ...of({ organizationId: ownOrganization(key.keyId), pack, releaseId: key.releaseId, auditor: null }),
    holder,
    may: allowed(key.scopes),
    subject: `key:${key.keyId}`,
    limits: sandboxLimits,
    payer: { caller: key.keyId, source: "api" }
  }))

/** A token's: the organization that the person consented for. Tools only read, so nothing is logged. */
export const partyOfToken = (token: TokenHolder): Party => ({
  ...of({ organizationId: token.organizationId, pack: token.pack, releaseId: null, auditor: null }),
  holder: undefined,
  may: allowed(scopes.filter((scope) => token.scopes.includes(scope))),
  subject: `org:${token.organizationId}`,
  limits: policyFor(token.pack, token.concurrentMax),
  payer: { caller: token.clientId, source: "mcp", person: token.personId }
})

const of = (caller: Caller): { readonly caller: Caller } => ({ caller })

const auditorOf = ({ keyId, name }: KeyHolder["key"]): AuditActor => ({ kind: "key", id: keyId, label: name })

const allowed = (held_: ReadonlyArray<Scope>): Party["may"] => ({
  read: satisfies(held_, "read"),
  write: satisfies(held_, "write"),
  certified: satisfies(held_, "certified")
})

/** A key's mode belongs to one surface, so its holder has one party. */
const held = (holder: KeyHolder, make: (holder: KeyHolder) => Party): Party => {
  const known = parties.get(holder)
  if (known !== undefined) return known
  const party = make(holder)
  parties.set(holder, party)
  return party
}

const parties = new WeakMap<KeyHolder, Party>()

/** Who calls without a credential. */
export const nobody: Party = {
  holder: undefined,
  caller: {
    organizationId: "" as OrganizationId,
    pack: "credits" satisfies PackName,
    releaseId: null,
    auditor: null
  },
  may: { read: false, write: false, certified: false },
  subject: "",
  limits: sandboxLimits,
  payer: { caller: "", source: "api" }
}
