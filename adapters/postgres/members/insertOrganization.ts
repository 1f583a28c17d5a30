import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Organization } from "../../../core/organization/Organization.ts"
import type { PackName } from "../../../core/organization/pack.ts"
import { packInForce } from "../../../core/organization/renewal.ts"
import type { Person, PersonId } from "../../../core/person/Person.ts"
import { createOrganization } from "../Organizations.ts"
import { membershipOf } from "./rows.ts"
import { now } from "./changeRejection.ts"

/** Makes an organization and its owner, inside the open transaction; a person founds one at a time. */
export const insertOrganization = Effect.fnUntraced(function* (
  sql: SqlClient,
  input: { readonly organization: Organization; readonly person: Person; readonly unpaidMax: number }
) {
  const { organization, person, unpaidMax } = input
  yield* sql`select 1 from auth."user" where id = ${person.personId} for no key update`
  if ((yield* unpaidOf(sql, person.personId)) >= unpaidMax) return "too_many"
  yield* createOrganization(sql, organization)
  const { organizationId } = organization
  yield* sql`update organization set founder_id = ${person.personId} where organization_id = ${organizationId}`
  yield* sql`insert into membership (organization_id, person_id, role, joined_at)
    values (${organizationId}, ${person.personId}, 'owner', ${organization.createdAt})`
  return "founded"
})

/**
 * Makes a person the owner of what the operator made for their address, as far as nobody belongs to it.
 * Answers what became theirs; asked on every listing, and so by one read as long as there is nothing.
 */
export const claim = Effect.fnUntraced(function* (sql: SqlClient, person: Person) {
  const open = yield* unclaimed(sql, person)
  if (open.length === 0) return []
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`select 1 from organization where organization_id = any(${open}) order by organization_id
        for no key update`
      // A statement of its own, after the locks: it sees who came first.
      const still = yield* unclaimed(sql, person)
      const rows = yield* sql`with claimed as (
          insert into membership (organization_id, person_id, role, joined_at)
          select unnest(${still.filter((id) => open.includes(id))}::text[]), ${person.personId}, 'owner',
            ${yield* now}
          returning organization_id, role
        ) select organization_id, name as organization_name, role
        from claimed join organization using (organization_id)`
      return rows.map(membershipOf)
    })
  )
})

const unpaidOf = Effect.fnUntraced(function* (sql: SqlClient, personId: PersonId) {
  const nowMs = yield* Clock.currentTimeMillis
  const rows = yield* sql<AccountRow>`select pack, next_pack, renews_at from account
    join organization using (organization_id)
    where founder_id = ${personId} or organization_id in (
      select organization_id from membership where person_id = ${personId} and role = 'owner')`
  const packs = rows.map((row) =>
    packInForce({ pack: row.pack, nextPack: row.next_pack, renewsAtMs: row.renews_at.getTime() }, nowMs)
  )
  return packs.filter(({ pack }) => pack === "credits").length
})

interface AccountRow {
  readonly pack: PackName
  readonly next_pack: PackName | null
  readonly renews_at: Date
}

const unclaimed = (sql: SqlClient, person: Person) =>
  Effect.map(
    sql<{ readonly organization_id: string }>`select organization_id from organization
      where lower(owner_email) = ${person.email} and not exists (
        select 1 from membership where membership.organization_id = organization.organization_id)`,
    (rows) => rows.map((row) => row.organization_id)
  )
