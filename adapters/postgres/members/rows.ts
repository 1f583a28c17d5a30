import * as Schema from "effect/Schema"
import type { IsoTime } from "../../../core/coverage/date.ts"
import { roles } from "../../../core/organization/role.ts"
import type { Membership } from "../../../core/person/Person.ts"
import type { Invitation } from "../../../core/port/Invitations.ts"
import type { Member } from "../../../core/port/Members.ts"

const organizationId = Schema.String.pipe(Schema.brand("OrganizationId"))
const personId = Schema.String.pipe(Schema.brand("PersonId"))
const role = Schema.Literals(roles)

const MembershipRow = Schema.Struct({
  organization_id: organizationId,
  organization_name: Schema.String,
  role
})
const MemberRow = Schema.Struct({
  person_id: personId,
  email: Schema.String,
  name: Schema.String,
  role,
  joined_at: Schema.Date
})
const InvitationRow = Schema.Struct({
  ...MembershipRow.fields,
  invitation_id: Schema.String,
  email: Schema.String,
  invited_by: Schema.String,
  expires_at: Schema.Date
})

// What a person may do hangs on these rows: one that says something unknown, such as the role of a version to
// come, is a defect and never a guess.
const decodeMembership = Schema.decodeUnknownSync(MembershipRow)
const decodeMember = Schema.decodeUnknownSync(MemberRow)
const decodeInvitation = Schema.decodeUnknownSync(InvitationRow)

export const membershipOf = (given: unknown): Membership => {
  const row = decodeMembership(given)
  return { organizationId: row.organization_id, organizationName: row.organization_name, role: row.role }
}

export const memberOf = (given: unknown): Member => {
  const row = decodeMember(given)
  return {
    person: { personId: row.person_id, email: row.email, name: row.name },
    role: row.role,
    joinedAt: row.joined_at.toISOString() as IsoTime
  }
}

export const invitationOf = (given: unknown): Invitation => {
  const row = decodeInvitation(given)
  return {
    ...membershipOf(row),
    invitationId: row.invitation_id,
    email: row.email,
    invitedBy: row.invited_by,
    expiresAt: row.expires_at.toISOString() as IsoTime
  }
}
