import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryJobs from "../../adapters/memory/Jobs.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresAcknowledgements from "../../adapters/postgres/Acknowledgements.ts"
import * as PostgresAttempts from "../../adapters/postgres/Attempts.ts"
import * as PostgresDeliveries from "../../adapters/postgres/Deliveries.ts"
import * as PostgresEndpoints from "../../adapters/postgres/Endpoints.ts"
import * as PostgresJobs from "../../adapters/postgres/Jobs.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresReviews from "../../adapters/postgres/Reviews.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { twice } from "../kit/webhooks.ts"

/** Two processes over one fresh database, each with its own pools and its own queue. */
export const postgresWebhooks = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    twice(postgresWebhooksAt(connection), postgresWebhooksAt(connection))
  )
)

export const postgresWebhooksAt = (connection: Database.Connection) =>
  Layer.fresh(
    Layer.mergeAll(
      postgresOutbox,
      PostgresOrganizations.layer,
      PostgresTransactions.layer({ clock: "caller" })
    ).pipe(Layer.provideMerge(PostgresJobs.layer), Layer.provide(Database.layer(connection)))
  ).pipe(Layer.orDie)

const postgresOutbox = Layer.mergeAll(
  PostgresEndpoints.layer,
  PostgresDeliveries.layer,
  PostgresAttempts.layer,
  PostgresAcknowledgements.layer
)

/** A PostgreSQL that is not there; its queue would not even begin, so the jobs are in memory. */
export const absentWebhooks = Layer.suspend(() =>
  Layer.merge(postgresOutbox, PostgresReviews.layer).pipe(
    Layer.provideMerge(MemoryJobs.layer),
    Layer.provide(
      Database.layer({ folder: "/nowhere", database: "coverage", username: "coverage" }).pipe(Layer.orDie)
    )
  )
)
