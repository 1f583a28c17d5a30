import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import type { Role } from "../../../core/organization/role.ts"
import type { PersonId } from "../../../core/person/Person.ts"

/**
 * One after another: whoever changes who belongs to an organization holds its row until the end of the
 * transaction. Keys that refer to the row are written meanwhile. False: there is no such organization.
 */
export const lockOrganization = (sql: SqlClient, organizationId: OrganizationId) =>
  Effect.map(
    sql`select 1 from organization where organization_id = ${organizationId} for no key update`,
    (rows) => rows.length > 0
  )

/** A place as it was decided over; all but an owner's may change whatever the others do. */
export interface MemberKey {
  readonly organizationId: OrganizationId
  readonly personId: PersonId
  readonly was: Role
}

/** What bars a change of a place to a role, or null to nothing; inside the open transaction. */
export const changeRejection = Effect.fnUntraced(function* (
  sql: SqlClient,
  place: MemberKey,
  role: Role | null
) {
  yield* lockOrganization(sql, place.organizationId)
  const rows = yield* sql<{ readonly person_id: PersonId; readonly role: Role }>`
    select person_id, role from membership
    where organization_id = ${place.organizationId} and (person_id = ${place.personId} or role = 'owner')`
  const standing = rows.find((row) => row.person_id === place.personId)
  if (standing?.role !== place.was) return "unknown"
  const owners = rows.filter((row) => row.role === "owner")
  return place.was === "owner" && role !== "owner" && owners.length === 1 ? "last_owner" : undefined
})

/** Now, by the clock of the effect, as PostgreSQL takes it. */
export const now = Effect.map(Clock.currentTimeMillis, (nowMs) => new Date(nowMs))
