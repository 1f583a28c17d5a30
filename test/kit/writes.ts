import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Books from "../../adapters/memory/Books.ts"
import * as MemoryIdempotency from "../../adapters/memory/Idempotency.ts"
import * as MemoryLedger from "../../adapters/memory/Ledger.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as MemoryTransactions from "../../adapters/memory/Transactions.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresIdempotency from "../../adapters/postgres/Idempotency.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import type { Idempotency } from "../../core/port/Idempotency.ts"
import type { Ledger } from "../../core/port/Ledger.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { Transactions } from "../../core/port/Transactions.ts"
import type { Marks } from "./marks.ts"
import { memoryMarks, postgresMarks } from "./marks.ts"
import { freshDatabase } from "./postgres.ts"

/** Everything that commits together, and the way to look at it. */
export type Writes = Idempotency | Transactions | Ledger | Organizations | Marks

/** The same store through another process's connections. */
export class AnotherProcess extends Context.Service<AnotherProcess, Context.Context<Writes>>()(
  "test/AnotherProcess"
) {}

/** Two sets of adapters over one memory: as far apart as a single process gets. */
export const memoryWrites = Layer.suspend(() => {
  const marks = new Map<string, number>()
  const ports = () =>
    Layer.fresh(
      Layer.mergeAll(
        MemoryIdempotency.layer,
        MemoryTransactions.layer,
        MemoryLedger.layer,
        MemoryOrganizations.layer,
        memoryMarks(marks)
      )
    )
  return twice(ports(), ports()).pipe(Layer.provide(Layer.fresh(Layer.merge(Books.layer, Records.layer))))
})

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
  ).pipe(Layer.provide(Database.layer(connection)), Layer.orDie)

const twice = <E, R>(here: Layer.Layer<Writes, E, R>, there: Layer.Layer<Writes, E, R>) =>
  Layer.merge(here, Layer.effect(AnotherProcess, Effect.context<Writes>()).pipe(Layer.provide(there)))
