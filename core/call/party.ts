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
import type { Caller } from "../handler/Handler.ts"

/** Who calls, as all later steps see it. */
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
export const partyOfKey = (holder: KeyHolder): Party => {
  const { key, pack, concurrentMax } = holder
  const auditor = { kind: "key", id: key.keyId, label: key.name } as const
  return {
    holder,
    caller: { organizationId: key.organizationId, pack, releaseId: key.releaseId, auditor },
    may: permissionsOf(key.scopes),
    subject: `org:${key.organizationId}`,
    limits: policyFor(pack, concurrentMax),
    payer: { caller: key.keyId, source: "api" }
  }
}

/** A test key's: nobody but the key itself, whatever organization it was made for (contract §3). */
export const partyOfTestKey = (holder: KeyHolder): Party => {
  const { key, pack } = holder
  const organizationId = ownOrganization(key.keyId)
  return {
    holder,
    caller: { organizationId, pack, releaseId: key.releaseId, auditor: null },
    may: permissionsOf(key.scopes),
    subject: `key:${key.keyId}`,
    limits: sandboxLimits,
    payer: { caller: key.keyId, source: "api" }
  }
}

/** A token's: the organization that the person consented for. Tools only read, so nothing is logged. */
export const partyOfToken = ({ organizationId, pack, ...token }: TokenHolder): Party => ({
  holder: undefined,
  caller: { organizationId, pack, releaseId: null, auditor: null },
  may: permissionsOf(scopes.filter((scope) => token.scopes.includes(scope))),
  subject: `org:${organizationId}`,
  limits: policyFor(pack, token.concurrentMax),
  payer: { caller: token.clientId, source: "mcp", person: token.personId }
})

const permissionsOf = (granted: ReadonlyArray<Scope>): Party["may"] => ({
  read: satisfies(granted, "read"),
  write: satisfies(granted, "write"),
  certified: satisfies(granted, "certified")
})

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
