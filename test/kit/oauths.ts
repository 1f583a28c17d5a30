import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Pool } from "../../adapters/postgres/Database.ts"
import * as PostgresAccessTokens from "../../adapters/postgres/oauth/AccessTokens.ts"
import * as PostgresClients from "../../adapters/postgres/oauth/OAuthClients.ts"
import * as PostgresGrants from "../../adapters/postgres/oauth/OAuthGrants.ts"
import * as PostgresRecords from "../../adapters/postgres/oauth/OAuthRecords.ts"
import * as PostgresMembers from "../../adapters/postgres/Members.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import type { OAuthAccount, OAuthGrant } from "../../core/oauth/OAuthGrant.ts"
import { refreshWindowSeconds } from "../../core/oauth/TokenHolder.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Person, PersonId } from "../../core/person/Person.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import type { OAuthRecord } from "../../core/port/OAuthRecords.ts"
import { newAccount, freshId } from "./accounts.ts"

/** Who belongs where, as these suites need it: the memberships themselves are another's subject. */
export class OAuthMembers extends Context.Service<
  OAuthMembers,
  {
    readonly join: (person: Person, organizationId: OrganizationId) => Effect.Effect<void>
    readonly leave: (account: OAuthAccount) => Effect.Effect<void>
  }
>()("test/Belonging") {}

const postgresMembers = Layer.effect(
  OAuthMembers,
  Effect.map(Pool, (sql) => ({
    join: ({ email, name, personId }, organizationId) =>
      Effect.gen(function* () {
        yield* sql`insert into auth."user" ("id", "name", "email", "emailVerified")
          values (${personId}, ${name}, ${email}, true) on conflict do nothing`
        yield* sql`insert into membership (organization_id, person_id, role, joined_at)
          values (${organizationId}, ${personId}, 'member', now())`
      }).pipe(Effect.orDie),
    leave: ({ organizationId, personId }) =>
      Effect.orDie(
        Effect.asVoid(
          sql`delete from membership where organization_id = ${organizationId} and person_id = ${personId}`
        )
      )
  }))
)

/** Every port of OAuth over a database. */
export const postgresOAuthPorts = Layer.mergeAll(
  PostgresAccessTokens.layer,
  PostgresRecords.layer,
  PostgresClients.layer,
  PostgresGrants.layer
)

/** The same with the organizations and memberships that they stand on. */
export const postgresOAuth = Layer.mergeAll(
  postgresOAuthPorts,
  PostgresOrganizations.layer,
  PostgresMembers.layer,
  postgresMembers
)

/** Somebody nobody else in this run is. */
export const somebody = (): Person => {
  const personId = freshId("person_") as PersonId
  return { personId, email: `${personId}@example.com`, name: "Ada Example" }
}

/** A member of an organization of their own. */
export const newMember = Effect.gen(function* () {
  const { organizationId } = yield* newAccount({ pack: "build" })
  const person = somebody()
  yield* (yield* OAuthMembers).join(person, organizationId)
  return { organizationId, person }
})

/** A grant as it would be opened now. */
export const grantOf = (
  account: OAuthAccount,
  nowMs: number,
  given: Partial<OAuthGrant> = {}
): OAuthGrant => ({
  grantId: freshId("grant_"),
  clientId: "client",
  clientName: "Example App",
  ...account,
  connectedAtMs: nowMs,
  endsAtMs: nowMs + refreshWindowSeconds * 1_000,
  ...given
})

/** An open grant of a new member of a new organization. */
export const openGrant = Effect.fnUntraced(function* (given: Partial<OAuthGrant> = {}) {
  const { organizationId, person } = yield* newMember
  const nowMs = yield* Clock.currentTimeMillis
  const grant = grantOf({ organizationId, personId: person.personId }, nowMs, given)
  yield* (yield* OAuthGrants).open(grant)
  return { grant, person }
})

/** A record of the grant that expires in an hour. */
export const recordOf = (grant: OAuthGrant | null, given: Partial<OAuthRecord> = {}): OAuthRecord => ({
  model: "RefreshToken",
  hash: freshId("hash_"),
  grantId: grant?.grantId ?? null,
  sealed: Uint8Array.of(1, 0, 255),
  expiresAtMs: (grant?.connectedAtMs ?? 0) + 3_600_000,
  spentAtMs: null,
  ...given
})
