import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Books from "../../adapters/memory/Books.ts"
import * as MemoryIdempotency from "../../adapters/memory/Idempotency.ts"
import * as MemoryKeys from "../../adapters/memory/Keys.ts"
import * as MemoryLedger from "../../adapters/memory/Ledger.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as MemoryTransactions from "../../adapters/memory/Transactions.ts"
import * as CachedKeys from "../../adapters/postgres/CachedKeys.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresIdempotency from "../../adapters/postgres/Idempotency.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import { freshDatabase } from "../kit/postgres.ts"

/** Organizations, keys, ledger and writes in memory, of one suite's own. */
export const memoryStores = Layer.fresh(
  Layer.mergeAll(
    MemoryKeys.layer,
    MemoryOrganizations.layer,
    MemoryLedger.layer,
    MemoryIdempotency.layer,
    MemoryTransactions.layer
  ).pipe(Layer.provide(Layer.fresh(Layer.merge(Books.layer, Records.layer))))
)

/** The same as a server composes them over this PostgreSQL; a suite that moves the clock moves theirs. */
export const postgresStoresAt = (connection: Database.Connection) =>
  Layer.fresh(
    Layer.mergeAll(
      CachedKeys.layer,
      PostgresOrganizations.layer,
      PostgresLedger.layer,
      PostgresIdempotency.layer({ clock: "caller" }),
      PostgresTransactions.layer({ clock: "caller" })
    )
  ).pipe(Layer.provide(Database.layer(connection)), Layer.orDie)

/** Over a database of the suite's own. */
export const postgresStores = Layer.unwrap(Effect.map(freshDatabase, postgresStoresAt))

/** A PostgreSQL that is not there. */
export const nowhere = { folder: "/nowhere", database: "coverage", username: "coverage" } as const
