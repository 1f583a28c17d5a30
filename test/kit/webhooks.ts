import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryAcknowledgements from "../../adapters/memory/Acknowledgements.ts"
import * as MemoryAttempts from "../../adapters/memory/Attempts.ts"
import * as Books from "../../adapters/memory/Books.ts"
import * as MemoryDeliveries from "../../adapters/memory/Deliveries.ts"
import * as MemoryEndpoints from "../../adapters/memory/Endpoints.ts"
import * as MemoryJobs from "../../adapters/memory/Jobs.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import * as Outbox from "../../adapters/memory/Outbox.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as MemoryTransactions from "../../adapters/memory/Transactions.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresAcknowledgements from "../../adapters/postgres/Acknowledgements.ts"
import * as PostgresAttempts from "../../adapters/postgres/Attempts.ts"
import * as PostgresDeliveries from "../../adapters/postgres/Deliveries.ts"
import * as PostgresEndpoints from "../../adapters/postgres/Endpoints.ts"
import * as PostgresJobs from "../../adapters/postgres/Jobs.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresReviews from "../../adapters/postgres/Reviews.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import type { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import type { Attempts } from "../../core/port/Attempts.ts"
import type { Deliveries } from "../../core/port/Deliveries.ts"
import type { Endpoints } from "../../core/port/Endpoints.ts"
import type { Jobs } from "../../core/port/Jobs.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { Transactions } from "../../core/port/Transactions.ts"
import { freshDatabase } from "./postgres.ts"

/** Everything that webhooks and acknowledgements commit together. */
export type Webhooks =
  | Endpoints
  | Deliveries
  | Attempts
  | Acknowledgements
  | Jobs
  | Organizations
  | Transactions

/** The same store through another process's connections. */
export class WebhooksElsewhere extends Context.Service<WebhooksElsewhere, Context.Context<Webhooks>>()(
  "test/WebhooksElsewhere"
) {}

/** Two sets of adapters over one memory: as far apart as a single process gets. */
export const memoryWebhooks = Layer.suspend(() => {
  const ports = () =>
    Layer.fresh(
      Layer.mergeAll(
        MemoryEndpoints.layer,
        MemoryDeliveries.layer,
        MemoryAttempts.layer,
        MemoryOrganizations.layer,
        MemoryTransactions.layer
      )
    )
  const shared = Layer.mergeAll(MemoryJobs.layer, MemoryAcknowledgements.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(Books.layer, Records.layer, Outbox.layer))
  )
  return twice(ports(), ports()).pipe(Layer.provideMerge(Layer.fresh(shared)))
})

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

const twice = <Here extends Webhooks, There extends Here, E, E2, R, R2>(
  here: Layer.Layer<Here, E, R>,
  there: Layer.Layer<There, E2, R2>
) => Layer.merge(here, Layer.effect(WebhooksElsewhere, Effect.context<Webhooks>()).pipe(Layer.provide(there)))
