import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import { PipelinedClient, Pool } from "../../adapters/postgres/Database.ts"
import { databaseFailure } from "../../adapters/postgres/failure.ts"
import { StoreHealth } from "../../adapters/postgres/StoreHealth.ts"
import { Probes } from "../../core/port/Probes.ts"
import type { Probe } from "../../core/port/Probes.ts"
import { LimitsHealth } from "../../core/call/limits.ts"
import {
  databaseUp,
  dependencyFault,
  limitsDegraded,
  queueWaitSeconds,
  storeSeconds
} from "../../core/call/meters.ts"

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

/** Writes one line, and sets the metric, when a dependency goes, comes back, or is down otherwise. */
const makeTeller = (dependency: "database" | "limits") => {
  let told: string | undefined
  const gauge = (reason: string, value: number) =>
    Metric.update(dependencyFault({ dependency, reason }), value)
  return ({ reason = "unreachable", status }: Pick<Probe, "status" | "reason">) =>
    Effect.suspend(() => {
      const now = status === "up" ? undefined : reason
      if (now === told) return Effect.void
      const before = told
      told = now
      return Effect.all(
        [
          before === undefined ? Effect.void : gauge(before, 0),
          now === undefined ? Effect.void : gauge(now, 1),
          now === undefined
            ? Effect.logWarning(`${dependency} available again`)
            : Effect.annotateLogs(Effect.logError(`${dependency} unavailable`), { reason: now })
        ],
        { discard: true }
      )
    })
}

/**
 * Has the database write in the background, so that health, which anybody may call, asks no store (contract
 * §1). Down is also a database that answers the probe while it refused the last charge.
 */
export const layer = Layer.effect(
  Probes,
  Effect.gen(function* () {
    const sql = yield* PipelinedClient
    const charges = yield* StoreHealth
    const limits = yield* LimitsHealth
    const [tellDatabase, tellLimits] = [makeTeller("database"), makeTeller("limits")]
    let seen: Probe = { status: "down", latencyMs: null }
    let webhookWaitSeconds: number | null = null
    const database = (): Probe => {
      const reason = seen.status === "up" ? charges.reason() : undefined
      return reason === undefined ? seen : { status: "down", latencyMs: null, reason }
    }
    const write = Effect.gen(function* () {
      const startedMs = yield* Clock.currentTimeMillis
      yield* sql`select probe_charge()`
      const latencyMs = (yield* Clock.currentTimeMillis) - startedMs
      seen = { status: "up", latencyMs }
      yield* Metric.update(probeSeconds, latencyMs / 1_000)
    }).pipe(
      Effect.timeout(probeMs),
      Effect.catchCause((cause) =>
        Effect.sync(() => {
          seen = { status: "down", latencyMs: null, reason: databaseFailure(Cause.squash(cause)).reason }
        })
      )
    )
    const tell = Effect.gen(function* () {
      const [now, cache] = [database(), yield* limits.check]
      yield* Metric.update(databaseUp, now.status === "up" ? 1 : 0)
      yield* Metric.update(limitsDegraded, cache.status === "up" ? 0 : 1)
      yield* tellDatabase(now)
      yield* tellLimits(cache)
    })
    const ask = Effect.andThen(write, tell)
    yield* ask
    const look = Effect.flatMap(lookAtQueue, (waited) => {
      webhookWaitSeconds = waited
      return Effect.sleep(waited === null ? queueAgainMs : queueEveryMs)
    })
    yield* Effect.forkScoped(Effect.forever(look))
    yield* Effect.forkScoped(Effect.delay(Effect.repeat(ask, Schedule.spaced(probeEveryMs)), probeEveryMs))
    return {
      read: Effect.map(limits.check, (cache) => ({ database: database(), cache, webhookWaitSeconds }))
    }
  })
)
