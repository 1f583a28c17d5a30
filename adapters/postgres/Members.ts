import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Role } from "../../core/organization/role.ts"
import type { PersonId } from "../../core/person/Person.ts"
import { Members, MembersUnavailable } from "../../core/port/Members.ts"
import { atomically, unavailable } from "./Database.ts"
import { claim, insertOrganization } from "./members/insertOrganization.ts"
import { changeRejection } from "./members/changeRejection.ts"
import { memberOf, membershipOf } from "./members/rows.ts"

/** Memberships in PostgreSQL, beside the people of schema `auth`. */
export const layer = Layer.effect(
  Members,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const reading = unavailable(failed)
    const writing = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.provideService(unavailable(failed)(atomically(effect)), SqlClient.SqlClient, sql)
    return Members.of({
      of: (personId) => reading(membershipsOf(sql, personId)),
      claim: (person) => reading(claim(sql, person)),
      found: (input) => writing(insertOrganization(sql, input)),
      role: (place) => reading(roleOf(sql, place)),
      list: (organizationId) => reading(membersOf(sql, organizationId)),
      changeRole: (place) =>
        writing(
          Effect.gen(function* () {
            const bar = yield* changeRejection(sql, place, place.role)
            if (bar !== undefined) return bar
            yield* sql`update membership set role = ${place.role}
              where organization_id = ${place.organizationId} and person_id = ${place.personId}`
            return "changed"
          })
        ),
      remove: (place) =>
        writing(
          Effect.gen(function* () {
            const bar = yield* changeRejection(sql, place, null)
            if (bar !== undefined) return bar
            yield* sql`delete from membership
              where organization_id = ${place.organizationId} and person_id = ${place.personId}`
            return "removed"
          })
        )
    })
  })
)

const failed = (fault: MembersUnavailable["fault"]) => new MembersUnavailable({ fault })

const membershipsOf = (sql: SqlClient.SqlClient, personId: PersonId) =>
  Effect.map(
    sql`select organization_id, name as organization_name, role
      from membership join organization using (organization_id)
      where person_id = ${personId} order by lower(name), organization_id`,
    (rows) => rows.map(membershipOf)
  )

const roleOf = (
  sql: SqlClient.SqlClient,
  place: { readonly organizationId: OrganizationId; readonly personId: PersonId }
) =>
  Effect.map(
    sql<{ readonly role: Role }>`select role from membership
      where organization_id = ${place.organizationId} and person_id = ${place.personId}`,
    ([row]) => row?.role
  )

const membersOf = (sql: SqlClient.SqlClient, organizationId: OrganizationId) =>
  Effect.map(
    sql`select person_id, email, auth."user".name, role, joined_at
      from membership join auth."user" on id = person_id
      where organization_id = ${organizationId} order by joined_at, person_id`,
    (rows) => rows.map(memberOf)
  )
