import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresKeys from "../../adapters/postgres/Keys.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { twice } from "../kit/accounts.ts"

/** Both ends over one fresh database, each with its own pools and its own flushes. */
export const postgresAccounts = Layer.unwrap(
  Effect.map(freshDatabase, (connection) => twice(postgresAt(connection), postgresAt(connection)))
)

/** A PostgreSQL that is not there. */
export const absentAccounts = Layer.suspend(() =>
  postgresAt({ folder: "/nowhere", database: "coverage", username: "coverage" })
)

export const postgresAt = (connection: Database.Connection) =>
  Layer.fresh(Layer.mergeAll(PostgresLedger.layer, PostgresOrganizations.layer, PostgresKeys.layer)).pipe(
    Layer.provide(Database.layer(connection)),
    Layer.orDie
  )
