import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { OAuthGrant } from "../../core/oauth/OAuthGrant.ts"
import type { OAuthClient } from "../../core/port/OAuthClients.ts"
import type { OAuthRecord, RecordName } from "../../core/port/OAuthRecords.ts"

/** A consent with when it was last used. */
export interface KeptGrant {
  readonly grant: OAuthGrant
  lastUsedAtMs: number | null
}

/** What the memory adapters of OAuth share; each verb reads and writes it in one synchronous step. */
export class OAuthState extends Context.Service<
  OAuthState,
  {
    readonly grants: Map<string, KeptGrant>
    readonly records: Map<string, OAuthRecord>
    readonly clients: Map<string, OAuthClient>
    /** Ids of the clients that somebody consented to. */
    readonly usedClients: Set<string>
  }
>()("coverage/adapters/memory/OAuthState") {}

export const layer = Layer.sync(OAuthState, () => ({
  grants: new Map(),
  records: new Map(),
  clients: new Map(),
  usedClients: new Set<string>()
}))

/** The key of a record. */
export const placeOf = ({ hash, model }: RecordName): string => `${model}:${hash}`

/** Ends a grant with everything that belongs to it. */
export const endGrant = (state: OAuthState["Service"], grantId: string): OAuthGrant | undefined => {
  const kept = state.grants.get(grantId)
  state.grants.delete(grantId)
  for (const [place, record] of state.records) if (record.grantId === grantId) state.records.delete(place)
  return kept?.grant
}
