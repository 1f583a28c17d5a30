import type { OAuthGrant } from "../../../core/oauth/OAuthGrant.ts"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import type { PersonId } from "../../../core/person/Person.ts"

/** A consent as its row says it. */
export interface GrantRow {
  readonly grant_id: string
  readonly client_id: string
  readonly client_name: string
  readonly person_id: PersonId
  readonly organization_id: OrganizationId
  readonly connected_at: Date
  readonly ends_at: Date
  readonly last_used_at: Date | null
}

export const grantOf = (row: GrantRow): OAuthGrant => ({
  grantId: row.grant_id,
  clientId: row.client_id,
  clientName: row.client_name,
  personId: row.person_id,
  organizationId: row.organization_id,
  connectedAtMs: row.connected_at.getTime(),
  endsAtMs: row.ends_at.getTime()
})

/** An instant as a parameter. */
export const time = (ms: number): string => new Date(ms).toISOString()
