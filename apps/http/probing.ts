import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Multiplexed } from "../../adapters/postgres/Database.ts"
import { Probes } from "../../core/port/Probes.ts"
import type { Probe } from "../../core/port/Probes.ts"
import { LimitsHealth } from "../../core/workflow/limiting.ts"

/** How often the database is asked, and how long it may take: what health tells is at most a second old. */
const probeEveryMs = 400
const probeMs = 500

/**
 * Asks the database in the background, so that health, which anybody may call, reads no store (contract §1).
 */
export const layer = Layer.effect(
  Probes,
  Effect.gen(function* () {
    const sql = yield* Multiplexed
    const limits = yield* LimitsHealth
    let database: Probe = { status: "down", latencyMs: null }
    const ask = Effect.gen(function* () {
      const startedMs = yield* Clock.currentTimeMillis
      yield* sql`select 1`
      database = { status: "up", latencyMs: (yield* Clock.currentTimeMillis) - startedMs }
    }).pipe(
      Effect.timeout(probeMs),
      Effect.catchCause(() =>
        Effect.sync(() => {
          database = { status: "down", latencyMs: null }
        })
      )
    )
    yield* ask
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(probeEveryMs), ask)))
    return { read: Effect.map(limits.check, (cache) => ({ database, cache })) }
  })
)
