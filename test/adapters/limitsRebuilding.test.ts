import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import * as Redis from "../../adapters/redis/Redis.ts"
import { Limits } from "../../core/port/Limits.ts"
import { dailyUsageBackfill } from "../../core/call/dailyUsageBackfill.ts"
import { rejectionCache } from "../../core/call/limits.ts"
import { countAdmitted, caller, Rows, rows } from "../kit/dayCalls.ts"
import type { RedisServer } from "../kit/redis.ts"
import { redisServer, longTimeouts } from "../kit/redis.ts"

class Server extends Context.Service<Server, RedisServer>()("test/Server") {}

/** One process over the server; the tests move the clock by which it decides. */
const process = Layer.fresh(
  dailyUsageBackfill(rejectionCache(RedisLimits.layer({ clock: "caller" }))).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(Server, ({ url }) => Redis.layer(url, longTimeouts))))
  )
)
const server = Layer.merge(Layer.effect(Server, redisServer), rows)
const reads = Effect.map(Rows, (state) => state.reads)
const flush = Effect.flatMap(Redis.Redis, (client) => Effect.promise(() => client.flushall()))

describe("contract §1 the day's quota in Redis", () => {
  it.effect("outlives the processes that count it: two of them, and a third after both, read it once", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      const [one, other] = [yield* Layer.build(process), yield* Layer.build(process)]
      expect(yield* Effect.provide(countAdmitted(10, call), one)).toBe(10)
      expect(yield* Effect.provide(countAdmitted(10, call), other)).toBe(10)
      expect(yield* Effect.provide(countAdmitted(30, call), process)).toBe(20)
      expect(yield* reads).toBe(1)
    }).pipe(Effect.scoped, Effect.provide(server))
  )

  it.effect("is rebuilt once its data are lost in the middle of the day", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      yield* Effect.gen(function* () {
        expect(yield* countAdmitted(30, call)).toBe(30)
        yield* flush
        expect(yield* countAdmitted(20, call)).toBe(10)
        yield* flush
        expect(yield* call()).toMatchObject({ by: "day" })
        expect(yield* countAdmitted(20, call)).toBe(0)
        expect(yield* reads).toBe(3)
      }).pipe(Effect.provide(process))
    }).pipe(Effect.provide(server))
  )

  it.effect("is rebuilt exactly by calls that race over two processes", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      const [one, other] = [yield* Layer.build(process), yield* Layer.build(process)]
      yield* Effect.provide(countAdmitted(25, call), one)
      yield* Effect.provide(flush, one)
      const race = Array.from({ length: 200 }, (_, nth) =>
        Effect.provide(call(), nth % 2 === 0 ? one : other)
      )
      const decisions = yield* Effect.all(race, { concurrency: "unbounded" })
      expect(decisions.filter(({ _tag }) => _tag === "Admitted").length).toBe(15)
      expect(yield* reads).toBeLessThanOrEqual(3)
    }).pipe(Effect.scoped, Effect.provide(server))
  )

  it.effect("its key expires, though a refusal wrote it", () =>
    Effect.gen(function* () {
      const { call, subject } = yield* caller
      yield* Effect.gen(function* () {
        yield* countAdmitted(40, call)
        yield* flush
        expect(yield* call()).toMatchObject({ by: "day" })
        const client = yield* Redis.Redis
        const key = `coverage:limits:2:${subject}`
        expect(yield* Effect.promise(() => client.pttl(key))).toBeGreaterThan(0)
        expect(yield* Effect.promise(() => client.dbsize())).toBe(1)
      }).pipe(Effect.provide(process))
    }).pipe(Effect.provide(server))
  )

  it.effect("a lost script and lost data at once are both made good", () =>
    Effect.gen(function* () {
      const { call, subject } = yield* caller
      yield* Effect.gen(function* () {
        yield* countAdmitted(39, call)
        const client = yield* Redis.Redis
        yield* Effect.promise(() => client.script("FLUSH"))
        yield* flush
        const limits = yield* Limits
        const dearer = { subject, requestId: "req_dearer", cost: 2, policy: quotaOf(40) }
        expect(yield* limits.acquire(dearer)).toMatchObject({ by: "day", figures: { remaining: 1 } })
      }).pipe(Effect.provide(process))
    }).pipe(Effect.provide(server))
  )
})

const quotaOf = (perDay: number) => ({ perMinute: 1_000, perDay, concurrent: 1_000 })
