import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as MemoryJobs from "../../adapters/memory/Jobs.ts"
import * as PostgresAttempts from "../../adapters/postgres/Attempts.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresDeliveries from "../../adapters/postgres/Deliveries.ts"
import * as PostgresEndpoints from "../../adapters/postgres/Endpoints.ts"
import * as PostgresKeys from "../../adapters/postgres/Keys.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresNotices from "../../adapters/postgres/Notices.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresUsage from "../../adapters/postgres/Usage.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { Staff, twice } from "../kit/notices.ts"

const postgresStaffing = Layer.effect(
  Staff,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Staff.of({
      join: (organizationId, { person, role }) =>
        Effect.gen(function* () {
          yield* sql`insert into auth."user" ("id", "name", "email", "emailVerified")
            values (${person.personId}, ${person.name}, ${person.email}, true) on conflict do nothing`
          yield* sql`insert into membership (organization_id, person_id, role, joined_at)
            values (${organizationId}, ${person.personId}, ${role}, now())`
        }).pipe(Effect.orDie),
      leave: (organizationId, person) =>
        sql`delete from membership where organization_id = ${organizationId} and person_id = ${person.personId}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
    })
  )
)

/** One process over a database; jobs are not what is tried here. */
export const postgresNoticesAt = (connection: Database.Connection) =>
  Layer.fresh(
    Layer.mergeAll(
      PostgresAttempts.layer,
      PostgresDeliveries.layer,
      PostgresEndpoints.layer,
      PostgresKeys.layer,
      PostgresLedger.layer,
      PostgresNotices.layer,
      PostgresOrganizations.layer,
      PostgresUsage.layer,
      postgresStaffing
    )
  ).pipe(Layer.provide(MemoryJobs.layer), Layer.provideMerge(Database.layer(connection)), Layer.orDie)

/** Both ends over one fresh database. */
export const postgresNotices = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    twice(postgresNoticesAt(connection), postgresNoticesAt(connection))
  )
)

/** A PostgreSQL that is not there. */
export const absentNotices = Layer.suspend(() =>
  postgresNoticesAt({ folder: "/nowhere", database: "coverage", username: "coverage" })
)
