import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresDayUses from "../../adapters/postgres/DayUses.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { twice } from "../kit/dayUses.ts"

/** Both ends over one fresh database. */
export const postgresUsage = Layer.unwrap(
  Effect.map(freshDatabase, (connection) => twice(postgresUsageAt(connection), postgresUsageAt(connection)))
)

/** A PostgreSQL that is not there. */
export const absentUsage = Layer.suspend(() =>
  postgresUsageAt({ folder: "/nowhere", database: "coverage", username: "coverage" })
)

export const postgresUsageAt = (connection: Database.Connection) =>
  Layer.fresh(Layer.mergeAll(PostgresDayUses.layer, PostgresLedger.layer, PostgresOrganizations.layer)).pipe(
    Layer.provide(Database.layer(connection)),
    Layer.orDie
  )
