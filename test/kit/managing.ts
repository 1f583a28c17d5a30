import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import * as MemoryMail from "../../adapters/memory/Mail.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import * as PostgresAudit from "../../adapters/postgres/Audit.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresInvitations from "../../adapters/postgres/Invitations.ts"
import * as PostgresMembers from "../../adapters/postgres/Members.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Actor, Person } from "../../core/person/Person.ts"
import { Audit } from "../../core/port/Audit.ts"
import { actorIn } from "../../core/admin/people.ts"
import { postgresFolk } from "../stores/members.ts"
import { settingsOf } from "./people.ts"
import { freshDatabase } from "./postgres.ts"

const plain = Layer.mergeAll(settingsOf(), NodeCrypto.layer, MemoryMail.layer, MemoryLimits.layer)

/** What people manage their organizations with, over a fresh database. */
export const postgresManaging = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    Layer.fresh(
      Layer.mergeAll(
        PostgresMembers.layer,
        PostgresInvitations.layer,
        PostgresOrganizations.layer,
        PostgresLedger.layer,
        PostgresTransactions.layer({ clock: "server" }),
        PostgresAudit.layer,
        postgresFolk
      ).pipe(Layer.provideMerge(Database.layer(connection)), Layer.provideMerge(plain))
    ).pipe(Layer.orDie)
  )
)

/** Somebody as they act in an organization now. */
export const actor = Effect.fnUntraced(function* (person: Person, organizationId: OrganizationId) {
  const found: Actor | undefined = yield* actorIn(person, organizationId)
  return found ?? (yield* Effect.die(new Error("nobody of this organization")))
})

/** What the log says of an organization, the oldest first: who, what, of whom, in which words. */
export const logOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const { entries } = yield* (yield* Audit).list({ organizationId, before: null, limit: 100 })
  return entries
    .toReversed()
    .map(({ action, actor: by, detail, subject }) => [
      by.kind === "person" ? by.label : by.kind,
      action,
      subject,
      detail
    ])
})
