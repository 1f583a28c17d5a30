import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as MemoryLedger from "../../adapters/memory/Ledger.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as MemoryTransactions from "../../adapters/memory/Transactions.ts"
import * as MemoryUsage from "../../adapters/memory/Usage.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import * as PostgresUsage from "../../adapters/postgres/Usage.ts"
import { freshDatabase } from "./postgres.ts"
import type { UsagePorts } from "./usageLaws.ts"
import { UsageElsewhere } from "./usageLaws.ts"

/** Both ends over one memory. */
export const memoryUsage = Layer.suspend(() => {
  const ports = () =>
    Layer.fresh(
      Layer.mergeAll(
        MemoryLedger.layer,
        MemoryOrganizations.layer,
        MemoryTransactions.layer,
        MemoryUsage.layer
      )
    )
  return twice(ports(), ports()).pipe(Layer.provide(Layer.fresh(Layer.merge(Books.layer, Records.layer))))
})

const postgresAt = (connection: Database.Connection) =>
  Layer.fresh(
    Layer.mergeAll(
      PostgresLedger.layer,
      PostgresOrganizations.layer,
      PostgresTransactions.layer({ clock: "server" }),
      PostgresUsage.layer
    )
  ).pipe(Layer.provideMerge(Database.layer(connection)), Layer.orDie)

/** Both ends over one fresh database. */
export const postgresUsage = Layer.unwrap(
  Effect.map(freshDatabase, (connection) => twice(postgresAt(connection), postgresAt(connection)))
)

/** A PostgreSQL that is not there. */
export const absentUsage = Layer.suspend(() =>
  postgresAt({ folder: "/nowhere", database: "coverage", username: "coverage" })
)

const twice = <More, E, R>(
  here: Layer.Layer<UsagePorts | More, E, R>,
  there: Layer.Layer<UsagePorts, E, R>
) => Layer.merge(here, Layer.effect(UsageElsewhere, Effect.context<UsagePorts>()).pipe(Layer.provide(there)))
