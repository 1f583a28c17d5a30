import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresInvitations from "../../adapters/postgres/Invitations.ts"
import * as PostgresMembers from "../../adapters/postgres/Members.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import { Townsfolk } from "../kit/members.ts"
import { freshDatabase } from "../kit/postgres.ts"

/** People as rows of schema `auth`. */
export const postgresFolk = Layer.effect(
  Townsfolk,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    settle: ({ email, name, personId }) =>
      Effect.orDie(
        Effect.asVoid(
          sql`insert into auth."user" (id, name, email, "emailVerified") values (${personId}, ${name}, ${email}, true)`
        )
      )
  }))
)

/** Over a PostgreSQL that is not there. */
export const absentMembers = Layer.merge(PostgresMembers.layer, PostgresInvitations.layer).pipe(
  Layer.provide(Database.layer({ folder: "/nowhere", database: "coverage", username: "coverage" })),
  Layer.orDie
)

export const postgresMembers = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    Layer.fresh(
      Layer.mergeAll(
        PostgresMembers.layer,
        PostgresInvitations.layer,
        PostgresOrganizations.layer,
        PostgresLedger.layer,
        postgresFolk
      )
    ).pipe(Layer.provideMerge(Database.layer(connection)), Layer.orDie)
  )
)
