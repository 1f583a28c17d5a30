import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as MemoryDayUses from "../../adapters/memory/DayUses.ts"
import * as MemoryLedger from "../../adapters/memory/Ledger.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import type { DayUses } from "../../core/port/DayUses.ts"
import type { Ledger } from "../../core/port/Ledger.ts"
import type { Organizations } from "../../core/port/Organizations.ts"

/** Usage rows, and the charges that write them. */
export type Usage = DayUses | Ledger | Organizations

/** The same rows through another process's connections. */
export class UsageElsewhere extends Context.Service<UsageElsewhere, Context.Context<Usage>>()(
  "test/UsageElsewhere"
) {}

/** Both ends over one memory. */
export const memoryUsage = Layer.suspend(() => {
  const ports = () =>
    Layer.fresh(Layer.mergeAll(MemoryDayUses.layer, MemoryLedger.layer, MemoryOrganizations.layer))
  return twice(ports(), ports()).pipe(Layer.provide(Layer.fresh(Books.layer)))
})

export const twice = <E, R>(here: Layer.Layer<Usage, E, R>, there: Layer.Layer<Usage, E, R>) =>
  Layer.merge(here, Layer.effect(UsageElsewhere, Effect.context<Usage>()).pipe(Layer.provide(there)))
