import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryAcknowledgements from "../../adapters/memory/Acknowledgements.ts"
import * as MemoryAttempts from "../../adapters/memory/Attempts.ts"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as MemoryDeliveries from "../../adapters/memory/Deliveries.ts"
import * as MemoryEndpoints from "../../adapters/memory/Endpoints.ts"
import * as MemoryJobs from "../../adapters/memory/Jobs.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import * as Outbox from "../../adapters/memory/Outbox.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as MemoryTransactions from "../../adapters/memory/Transactions.ts"
import type { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import type { Attempts } from "../../core/port/Attempts.ts"
import type { Deliveries } from "../../core/port/Deliveries.ts"
import type { Endpoints } from "../../core/port/Endpoints.ts"
import type { Jobs } from "../../core/port/Jobs.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { Transactions } from "../../core/port/Transactions.ts"

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

export const twice = <Here extends Webhooks, There extends Here, E, E2, R, R2>(
  here: Layer.Layer<Here, E, R>,
  there: Layer.Layer<There, E2, R2>
) => Layer.merge(here, Layer.effect(WebhooksElsewhere, Effect.context<Webhooks>()).pipe(Layer.provide(there)))
