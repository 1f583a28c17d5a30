import type { IsoTime } from "../../../core/coverage/date.ts"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import type { Role } from "../../../core/organization/role.ts"
import type { Membership, PersonId } from "../../../core/person/Person.ts"
import type { Invitation } from "../../../core/port/Invitations.ts"
import type { Member } from "../../../core/port/Members.ts"

export interface MembershipRow {
  readonly organization_id: OrganizationId
  readonly organization_name: string
  readonly role: Role
}

export const membershipOf = (row: MembershipRow): Membership => ({
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  role: row.role
})

export interface MemberRow {
  readonly person_id: PersonId
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly joined_at: Date
}

export const memberOf = (row: MemberRow): Member => ({
  person: { personId: row.person_id, email: row.email, name: row.name },
  role: row.role,
  joinedAt: row.joined_at.toISOString() as IsoTime
})

export interface InvitationRow {
  readonly invitation_id: string
  readonly organization_id: OrganizationId
  readonly organization_name: string
  readonly email: string
  readonly role: Role
  readonly invited_by: string
  readonly expires_at: Date
}

export const invitationOf = (row: InvitationRow): Invitation => ({
  invitationId: row.invitation_id,
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  expiresAt: row.expires_at.toISOString() as IsoTime
})
