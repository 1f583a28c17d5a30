import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as MemoryAcknowledgements from "../../adapters/memory/Acknowledgements.ts"
import * as MemoryAttempts from "../../adapters/memory/Attempts.ts"
import * as MemoryAudit from "../../adapters/memory/Audit.ts"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as MemoryDeliveries from "../../adapters/memory/Deliveries.ts"
import * as MemoryEndpoints from "../../adapters/memory/Endpoints.ts"
import * as MemoryIdempotency from "../../adapters/memory/Idempotency.ts"
import * as MemoryJobs from "../../adapters/memory/Jobs.ts"
import * as MemoryKeys from "../../adapters/memory/Keys.ts"
import * as MemoryLedger from "../../adapters/memory/Ledger.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import * as Outbox from "../../adapters/memory/Outbox.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as MemoryReleases from "../../adapters/memory/Releases.ts"
import * as MemoryReviews from "../../adapters/memory/Reviews.ts"
import * as MemoryTransactions from "../../adapters/memory/Transactions.ts"
import * as PostgresAcknowledgements from "../../adapters/postgres/Acknowledgements.ts"
import * as PostgresAttempts from "../../adapters/postgres/Attempts.ts"
import * as PostgresAudit from "../../adapters/postgres/Audit.ts"
import * as CachedKeys from "../../adapters/postgres/CachedKeys.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresDeliveries from "../../adapters/postgres/Deliveries.ts"
import * as PostgresEndpoints from "../../adapters/postgres/Endpoints.ts"
import * as PostgresIdempotency from "../../adapters/postgres/Idempotency.ts"
import * as PostgresJobs from "../../adapters/postgres/Jobs.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresReleases from "../../adapters/postgres/Releases.ts"
import * as PostgresReviews from "../../adapters/postgres/Reviews.ts"
import * as PostgresPlainWrites from "../../adapters/postgres/PlainWrites.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import type { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import type { Jobs } from "../../core/port/Jobs.ts"
import { libraries, postgresPorts } from "../kit/libraries.ts"
import { freshDatabase } from "../kit/postgres.ts"

/** Organizations, keys, ledger, webhooks and writes in memory, of one suite's own. */
export const memoryStores = Layer.fresh(
  Layer.mergeAll(
    MemoryKeys.layer,
    MemoryOrganizations.layer,
    MemoryLedger.layer,
    MemoryIdempotency.layer,
    MemoryTransactions.layer,
    MemoryReleases.layer,
    MemoryAudit.layer,
    MemoryAcknowledgements.layer,
    MemoryEndpoints.layer,
    MemoryDeliveries.layer,
    MemoryAttempts.layer
  ).pipe(
    Layer.provideMerge(MemoryJobs.layer),
    Layer.provide(Layer.fresh(Layer.mergeAll(Books.layer, Records.layer, Outbox.layer)))
  )
)

/** The library in memory, with what of it these stores have reviewed. */
export const memoryLibraryOver = <Stores, E>(stores: Layer.Layer<Stores | Acknowledgements, E>) =>
  MemoryReviews.layer.pipe(Layer.provideMerge(libraries[0][1]), Layer.provideMerge(stores))

/** All that a service keeps, in memory. */
export const inMemory = memoryLibraryOver(memoryStores)

/**
 * The same as a server composes them over this PostgreSQL; a suite that moves the clock moves theirs. The
 * queue of jobs looks at its table first of all, so a suite whose PostgreSQL is not there brings another.
 */
export const postgresStoresAt = (
  connection: Database.Connection,
  jobs: typeof jobsLayer = jobsLayer
): Layer.Layer<Layer.Success<typeof memoryStores>> =>
  Layer.fresh(
    Layer.mergeAll(
      CachedKeys.layer,
      PostgresOrganizations.layer,
      PostgresReleases.layer,
      PostgresAudit.layer,
      PostgresLedger.layer,
      PostgresIdempotency.layer({ clock: "caller" }),
      PostgresTransactions.layer({ clock: "caller" }),
      PostgresPlainWrites.layer({ clock: "caller" }),
      PostgresAcknowledgements.layer,
      PostgresEndpoints.layer,
      PostgresDeliveries.layer,
      PostgresAttempts.layer
    ).pipe(Layer.provideMerge(jobs))
  ).pipe(Layer.provide(Database.layer(connection)), Layer.orDie)

/** Over a database of the suite's own. */
export const postgresStores = Layer.unwrap(Effect.map(freshDatabase, postgresStoresAt))

/** All that a service keeps, in this PostgreSQL. */
export const inPostgresAt = (connection: Database.Connection, jobs: typeof jobsLayer = jobsLayer) =>
  Layer.merge(
    postgresStoresAt(connection, jobs),
    Layer.merge(postgresPorts, PostgresReviews.layer).pipe(
      Layer.provide(Database.layer(connection)),
      Layer.orDie
    )
  )

/** The same over a database of the suite's own. */
export const inPostgres = Layer.unwrap(Effect.map(freshDatabase, inPostgresAt))

/** Both compositions. */
export const services = [
  ["memory", () => inMemory],
  ["PostgreSQL", () => inPostgres]
] as const

const jobsLayer: Layer.Layer<Jobs, SqlError, SqlClient> = PostgresJobs.layer

/** A PostgreSQL that is not there. */
export const nowhere = { folder: "/nowhere", database: "coverage", username: "coverage" } as const
