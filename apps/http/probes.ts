import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import { PipelinedClient, Pool } from "../../adapters/postgres/Database.ts"
import { Probes } from "../../core/port/Probes.ts"
import type { Probe } from "../../core/port/Probes.ts"
import { LimitsHealth } from "../../core/call/limits.ts"
import { databaseUp, limitsDegraded, queueWaitSeconds, storeSeconds } from "../../core/call/meters.ts"

/** How often the database is asked, and how long it may take: what health tells is at most a second old. */
const probeEveryMs = 400
const probeMs = 500

/** How often the head of the webhook queue is looked at, how long that may take, and when after a failure. */
const queueEveryMs = 15_000
const queueMs = 5_000
const queueAgainMs = 1_000

const probeSeconds = storeSeconds({ store: "probe" })

/**
 * Reads the one job that is due for longest, and counts none: the cost does not grow with the queue. Null: it
 * could not be read.
 */
const lookAtQueue = Effect.gen(function* () {
  const sql = yield* Pool
  const [head] = yield* sql<{ readonly waited: number }>`select
    greatest(0, extract(epoch from (now() at time zone 'UTC') - visible_at))::float8 as waited
    from job where queue_name = 'webhooks' and state = 'pending' and acquired_at is null
    order by visible_at, sequence limit 1`
  const waited = head?.waited ?? 0
  yield* Metric.update(queueWaitSeconds, waited)
  return waited
}).pipe(
  Effect.timeout(queueMs),
  Effect.catchCause(() => Effect.succeed(null))
)

/**
 * Asks the database in the background, so that health, which anybody may call, reads no store (contract §1).
 */
export const layer = Layer.effect(
  Probes,
  Effect.gen(function* () {
    const sql = yield* PipelinedClient
    const limits = yield* LimitsHealth
    let database: Probe = { status: "down", latencyMs: null }
    let webhookWaitSeconds: number | null = null
    const ask = Effect.gen(function* () {
      const startedMs = yield* Clock.currentTimeMillis
      yield* sql`select 1`
      const latencyMs = (yield* Clock.currentTimeMillis) - startedMs
      database = { status: "up", latencyMs }
      yield* Metric.update(probeSeconds, latencyMs / 1_000)
    }).pipe(
      Effect.timeout(probeMs),
      Effect.catchCause(() =>
        Effect.sync(() => {
          database = { status: "down", latencyMs: null }
        })
      ),
      Effect.andThen(Effect.suspend(() => Metric.update(databaseUp, database.status === "up" ? 1 : 0))),
      Effect.andThen(limits.check),
      Effect.flatMap(({ status }) => Metric.update(limitsDegraded, status === "up" ? 0 : 1))
    )
    yield* ask
    const look = Effect.flatMap(lookAtQueue, (waited) => {
      webhookWaitSeconds = waited
      return Effect.sleep(waited === null ? queueAgainMs : queueEveryMs)
    })
    yield* Effect.forkScoped(Effect.forever(look))
    yield* Effect.forkScoped(Effect.delay(Effect.repeat(ask, Schedule.spaced(probeEveryMs)), probeEveryMs))
    return { read: Effect.map(limits.check, (cache) => ({ database, cache, webhookWaitSeconds })) }
  })
)
