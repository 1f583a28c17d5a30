import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresIdempotency from "../../adapters/postgres/Idempotency.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import { postgresMarks } from "../kit/marks.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { twice } from "../kit/writes.ts"

/** Two processes over one fresh database, each with its own pools. */
export const postgresWrites = Layer.unwrap(
  Effect.map(freshDatabase, (connection) => twice(postgresWritesAt(connection), postgresWritesAt(connection)))
)

/** A PostgreSQL that is not there. */
export const absentWrites = Layer.suspend(() => {
  const nowhere = { folder: "/nowhere", database: "coverage", username: "coverage" }
  return Layer.mergeAll(
    PostgresIdempotency.layer({ clock: "caller" }),
    PostgresTransactions.layer({ clock: "caller" })
  ).pipe(Layer.provide(Database.layer(nowhere)), Layer.orDie)
})

export const postgresWritesAt = (connection: Database.Connection) =>
  Layer.fresh(
    Layer.mergeAll(
      PostgresIdempotency.layer({ clock: "caller" }),
      PostgresTransactions.layer({ clock: "caller" }),
      PostgresLedger.layer,
      PostgresOrganizations.layer,
      postgresMarks
    )
  ).pipe(Layer.provideMerge(Database.layer(connection)), Layer.orDie)
