import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as MemoryIdempotency from "../../adapters/memory/Idempotency.ts"
import * as MemoryLedger from "../../adapters/memory/Ledger.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as MemoryTransactions from "../../adapters/memory/Transactions.ts"
import type { Idempotency } from "../../core/port/Idempotency.ts"
import type { Ledger } from "../../core/port/Ledger.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { Transactions } from "../../core/port/Transactions.ts"
import type { Marks } from "./marks.ts"
import { memoryMarks } from "./marks.ts"

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

export const twice = <E, R>(here: Layer.Layer<Writes, E, R>, there: Layer.Layer<Writes, E, R>) =>
  Layer.merge(here, Layer.effect(AnotherProcess, Effect.context<Writes>()).pipe(Layer.provide(there)))
