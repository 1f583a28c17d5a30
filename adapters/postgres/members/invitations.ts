import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import type { Person } from "../../../core/person/Person.ts"
import type { Invitations } from "../../../core/port/Invitations.ts"
import { lockOrganization, now } from "./changeRejection.ts"
import { invitationOf, membershipOf } from "./rows.ts"

/** Writes an invitation in place of an earlier one to the address, inside the open transaction. */
export const invite = Effect.fnUntraced(function* (
  sql: SqlClient,
  input: Parameters<Invitations["Service"]["invite"]>[0]
) {
  const { email, organizationId, role } = input
  yield* lockOrganization(sql, organizationId)
  const known = yield* sql`select 1 from membership join auth."user" on id = person_id
    where organization_id = ${organizationId} and email = ${email}`
  if (known.length > 0) return "already_member"
  yield* sql`delete from invitation
    where organization_id = ${organizationId} and (email = ${email} or expires_at <= ${yield* now})`
  const open = yield* sql`select 1 from invitation where organization_id = ${organizationId}`
  if (open.length >= input.openMax) return "too_many"
  const [row] = yield* sql`with invited as (
      insert into invitation (invitation_id, organization_id, email, role, invited_by, expires_at)
      values (${input.invitationId}, ${organizationId}, ${email}, ${role}, ${input.invitedBy}, ${input.expiresAt})
      returning *
    ) select invited.*, name as organization_name from invited join organization using (organization_id)`
  return row === undefined ? yield* Effect.die(new Error("an invitation was not written")) : invitationOf(row)
})

/** An invitation that can still be accepted. */
export const findInvitation = Effect.fnUntraced(function* (sql: SqlClient, invitationId: string) {
  const [row] = yield* sql`select invitation.*, name as organization_name
    from invitation join organization using (organization_id)
    where invitation_id = ${invitationId} and expires_at > ${yield* now}`
  return row && invitationOf(row)
})

/** Those of an organization that can still be accepted, the newest first. */
export const openInvitations = Effect.fnUntraced(function* (sql: SqlClient, organizationId: OrganizationId) {
  const rows = yield* sql`select invitation.*, name as organization_name
    from invitation join organization using (organization_id)
    where organization_id = ${organizationId} and expires_at > ${yield* now}
    order by expires_at desc, invitation_id`
  return rows.map(invitationOf)
})

/** Turns an invitation into a membership, inside the open transaction; whoever belongs there stays as is. */
export const accept = Effect.fnUntraced(function* (
  sql: SqlClient,
  { invitationId, person }: { readonly invitationId: string; readonly person: Person }
) {
  const invitation = yield* findInvitation(sql, invitationId)
  if (invitation === undefined) return "ended"
  if (invitation.email !== person.email) return "other_address"
  const { organizationId } = invitation
  yield* lockOrganization(sql, organizationId)
  const taken = yield* sql`delete from invitation where invitation_id = ${invitationId} returning 1`
  if (taken.length === 0) return "ended"
  yield* sql`insert into membership (organization_id, person_id, role, joined_at)
    values (${organizationId}, ${person.personId}, ${invitation.role}, ${yield* now}) on conflict do nothing`
  const [row] = yield* sql`select organization_id, name as organization_name, role
    from membership join organization using (organization_id)
    where organization_id = ${organizationId} and person_id = ${person.personId}`
  return row === undefined ? yield* Effect.die(new Error("a membership was not written")) : membershipOf(row)
})

/** Takes an open invitation of the organization back, and says whether there was one. */
export const withdraw = (
  sql: SqlClient,
  input: { readonly organizationId: OrganizationId; readonly invitationId: string }
) =>
  Effect.map(
    sql`delete from invitation
      where invitation_id = ${input.invitationId} and organization_id = ${input.organizationId} returning 1`,
    (rows) => rows.length > 0
  )
