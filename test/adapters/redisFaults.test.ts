import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import * as Memory from "../../adapters/memory/Limits.ts"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import { leaveWithinMs } from "../../adapters/redis/Limits.ts"
import { callsPerChunk } from "../../adapters/redis/limitsFormat.ts"
import * as Redis from "../../adapters/redis/Redis.ts"
import type { LimitDecision, LimitPolicy } from "../../core/limit/policy.ts"
import { dayMs } from "../../core/limit/quota.ts"
import { leaseMs } from "../../core/limit/slots.ts"
import { Limits } from "../../core/port/Limits.ts"
import { failoverLimits, LimitsHealth, probeEveryMs } from "../../core/call/limits.ts"
import type { RedisServer } from "../kit/redis.ts"
import { redisServer } from "../kit/redis.ts"

class Server extends Context.Service<Server, RedisServer>()("test/Server") {}

const server = Layer.effect(Server, redisServer)
const shared = Layer.unwrap(
  Effect.map(Server, ({ url }) =>
    RedisLimits.layer({ clock: "server" }).pipe(Layer.provideMerge(Redis.layer(url)))
  )
)
const stores = failoverLimits({ shared, local: Memory.layer, nodes: 1 }).pipe(Layer.provideMerge(server))

const policy: LimitPolicy = { perMinute: 1_000, perDay: null, concurrent: 1_000 }
let calls = 0
const entry = (of: Partial<LimitPolicy> = {}, subject = "org:one") => ({
  subject,
  requestId: `req_${calls++}`,
  cost: 1,
  policy: { ...policy, ...of }
})
const call = Effect.flatMap(Limits, (limits) => limits.acquire(entry()))
const status = Effect.flatMap(LimitsHealth, ({ check }) => Effect.map(check, (seen) => seen.status))
const limitOf = (decision: LimitDecision) => decision.figures.limit

/**
 * Polls until it holds, and says how long that took; the runner's own timeout is the bound of what never
 * does.
 */
const until = Effect.fnUntraced(function* <E, R>(holds: Effect.Effect<boolean, E, R>) {
  const startMs = yield* Clock.currentTimeMillis
  while (!(yield* holds)) yield* Effect.sleep(5)
  return (yield* Clock.currentTimeMillis) - startMs
})
/** How long until the whole limit is in force again, ms. */
const recovered = until(Effect.map(call, (decision) => limitOf(decision) === 1_000))

/** Bounds are generous beside what is expected, since the machine that runs the tests may be busy. */
const busyMachineMs = 1_000
const outageMs = Redis.commandTimeoutMs + busyMachineMs
const recoveryMs =
  Redis.silenceMsMax + Redis.connectTimeoutMs + Redis.reconnectMsMax + probeEveryMs + busyMachineMs

describe("§8.1.3 a shared store that fails", () => {
  it.live(
    "hangs: half the limit within one command timeout, no wait after it, and the whole again when it wakes",
    () =>
      Effect.gen(function* () {
        const redis = yield* Server
        expect(limitOf(yield* call)).toBe(1_000)
        yield* redis.pause
        const [elapsed, first] = yield* Effect.timed(call)
        expect(limitOf(first)).toBe(500)
        expect(Duration.toMillis(elapsed)).toBeLessThan(outageMs)
        const [rest] = yield* Effect.timed(Effect.repeat(call, { times: 500 }))
        expect(Duration.toMillis(rest)).toBeLessThan(outageMs)
        expect(yield* status).toBe("down")
        yield* redis.resume
        expect(yield* recovered).toBeLessThan(recoveryMs)
        expect(yield* status).toBe("up")
      }).pipe(Effect.provide(stores))
  )

  it.live("hangs for longer than its connection lives: the whole limit again when it wakes", () =>
    Effect.gen(function* () {
      const redis = yield* Server
      yield* call
      yield* redis.pause
      yield* until(Effect.map(status, (seen) => seen === "down"))
      yield* Effect.sleep(2 * Redis.silenceMsMax)
      expect(limitOf(yield* call)).toBe(500)
      yield* redis.resume
      expect(yield* recovered).toBeLessThan(recoveryMs)
    }).pipe(Effect.provide(stores))
  )

  it.live(
    "is killed and started again, script forgotten: half the limit, then the whole, no restart of ours",
    () =>
      Effect.gen(function* () {
        const redis = yield* Server
        yield* call
        yield* redis.stop
        expect(limitOf(yield* call)).toBe(500)
        yield* until(Effect.map(status, (seen) => seen === "down"))
        yield* redis.start
        expect(yield* recovered).toBeLessThan(recoveryMs)
      }).pipe(Effect.provide(stores))
  )

  it.live("is unavailable at the start: the process starts degraded, and uses it once it is there", () =>
    Effect.gen(function* () {
      const redis = yield* Server
      yield* redis.stop
      yield* Effect.gen(function* () {
        expect(limitOf(yield* call)).toBe(500)
        yield* redis.start
        expect(yield* recovered).toBeLessThan(recoveryMs)
      }).pipe(Effect.provide(failoverLimits({ shared, local: Memory.layer, nodes: 1 })))
    }).pipe(Effect.provide(server))
  )

  it.live("never shows more than 60 admissions to 400 calls that race by the server's own clock", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const race = Array.from({ length: 400 }, () => limits.acquire(entry({ perMinute: 60 }, "org:race")))
      const decisions = yield* Effect.all(race, { concurrency: "unbounded" })
      expect(decisions.filter(({ _tag }) => _tag === "Admitted").length).toBe(60)
      const nowMs = yield* Clock.currentTimeMillis
      for (const { figures } of decisions) expect(Math.abs(figures.atMs - nowMs)).toBeLessThan(busyMachineMs)
    }).pipe(Effect.provide(stores))
  )
})

/** By then every slot was given back, by the machine's own clock. */
const given = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5 * leaveWithinMs)))

describe("the keys in Redis", () => {
  const key = "coverage:limits:2:org:one"
  const limitsBy = (clock: "server" | "caller") =>
    Layer.unwrap(
      Effect.map(Server, ({ url }) => RedisLimits.layer({ clock }).pipe(Layer.provideMerge(Redis.layer(url))))
    ).pipe(Layer.provideMerge(server))

  it.live("two processes share one limit", () =>
    Effect.gen(function* () {
      const one = yield* Limits
      const { url } = yield* Server
      const other = Context.get(
        yield* Layer.build(
          Layer.fresh(
            RedisLimits.layer({ clock: "server" }).pipe(Layer.provide(Layer.fresh(Redis.layer(url))))
          )
        ),
        Limits
      )
      const race = Array.from({ length: 100 }, (_, nth) =>
        (nth % 2 === 0 ? one : other).acquire(entry({ perMinute: 60 }))
      )
      const decisions = yield* Effect.all(race, { concurrency: "unbounded" })
      expect(decisions.filter(({ _tag }) => _tag === "Admitted").length).toBe(60)
    }).pipe(Effect.scoped, Effect.provide(limitsBy("server")))
  )

  it.live("are one for each subject, expire and carry the format's version", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const client = yield* Redis.Redis
      const first = entry({ perDay: 100 })
      yield* limits.acquire(first)
      yield* limits.release(first)
      yield* limits.acquire(entry({ perDay: 100 }))
      expect(yield* Effect.promise(() => client.keys("*"))).toEqual([key])
      expect(yield* Effect.promise(() => client.pttl(key))).toBeGreaterThan(dayMs)
    }).pipe(Effect.provide(limitsBy("server")))
  )

  it.effect("hold only the calls of the last minute", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const client = yield* Redis.Redis
      const bytes = Effect.promise(() => client.hstrlen(key, "state"))
      const fields = Effect.andThen(
        given,
        Effect.promise(() => client.hlen(key))
      )
      const once = Effect.gen(function* () {
        const each = entry()
        yield* limits.acquire(each)
        yield* limits.release(each)
      })
      yield* once
      const one = yield* bytes
      for (let nth = 0; nth < 99; nth++) {
        yield* TestClock.adjust(500)
        yield* once
      }
      expect(yield* bytes).toBeLessThan(one + (2 * callsPerChunk * one) / 3)
      expect(yield* fields).toBeGreaterThan(100 / callsPerChunk - 3)
      yield* TestClock.adjust(58_000)
      yield* once
      expect(yield* fields).toBe(1)
      yield* TestClock.adjust(60_000)
      yield* once
      expect(yield* bytes).toBe(one)
    }).pipe(Effect.provide(limitsBy("caller")))
  )

  it.live("a damaged key fails its own subject and nobody else's in the batch", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const client = yield* Redis.Redis
      yield* Effect.promise(() => client.set("coverage:limits:2:org:hurt", "not a hash"))
      const [hurt, well] = yield* Effect.all(
        [Effect.flip(limits.acquire(entry({}, "org:hurt"))), limits.acquire(entry())],
        { concurrency: "unbounded" }
      )
      expect(hurt).toMatchObject({ _tag: "LimitsUnavailable", fault: "refused" })
      expect(well).toMatchObject({ _tag: "Admitted" })
      yield* Effect.promise(() => client.hset("coverage:limits:2:org:cut", "state", "not a state"))
      const [cut, next] = yield* Effect.all(
        [Effect.flip(limits.acquire(entry({}, "org:cut"))), limits.acquire(entry())],
        { concurrency: "unbounded" }
      )
      expect(cut).toMatchObject({ _tag: "LimitsUnavailable", fault: "refused" })
      expect(next).toMatchObject({ _tag: "Admitted", figures: { remaining: 998 } })
    }).pipe(Effect.provide(limitsBy("server")))
  )

  it.effect(
    "a process that died with every slot blocks them until its leases end, and no call reads them through",
    () =>
      Effect.gen(function* () {
        const limits = yield* Limits
        const client = yield* Redis.Redis
        const three = { concurrent: 3 }
        const asked = Effect.promise(() => client.info("commandstats")).pipe(
          Effect.map((told) => Number(/cmdstat_hgetall:calls=(\d+)/.exec(told)?.[1] ?? 0))
        )
        for (let nth = 0; nth < 3; nth++) yield* limits.acquire(entry(three))
        for (let nth = 0; nth < 5; nth++)
          expect(yield* limits.acquire(entry(three))).toMatchObject({ by: "concurrent" })
        expect(yield* asked).toBe(1)
        yield* TestClock.adjust(leaseMs)
        for (let nth = 0; nth < 3; nth++)
          expect(yield* limits.acquire(entry(three))).toMatchObject({ _tag: "Admitted" })
        expect(yield* limits.acquire(entry(three))).toMatchObject({ by: "concurrent" })
        expect(yield* Effect.promise(() => client.hlen(key))).toBe(1 + 3)
      }).pipe(Effect.provide(limitsBy("caller")))
  )

  it.live("a script cache that is flushed costs no call", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const client = yield* Redis.Redis
      yield* limits.acquire(entry())
      yield* Effect.promise(() => client.script("FLUSH"))
      expect(yield* limits.acquire(entry())).toMatchObject({ figures: { remaining: 998 } })
    }).pipe(Effect.provide(limitsBy("server")))
  )

  it.live("a slot is given back with the next script call, and soon where there is none", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const client = yield* Redis.Redis
      const one = { concurrent: 1 }
      const asked = Effect.promise(() => client.info("commandstats")).pipe(
        Effect.map((told) => Number(/cmdstat_evalsha:calls=(\d+)/.exec(told)?.[1] ?? 0))
      )
      yield* limits.acquire(entry(one, "org:warm"))
      const before = yield* asked
      for (let nth = 0; nth < 10; nth++) {
        const each = entry(one)
        expect(yield* limits.acquire(each)).toMatchObject({ _tag: "Admitted" })
        yield* limits.release(each)
      }
      // A machine that is busy may leave a slot alone for its time between two calls.
      expect((yield* asked) - before).toBeLessThan(15)
      yield* given
      expect(yield* Effect.promise(() => client.hlen(key))).toBeLessThan(1 + 10 / callsPerChunk + 1)
    }).pipe(Effect.provide(limitsBy("server")))
  )

  it.live("slots given back as the process ends are given back", () =>
    Effect.gen(function* () {
      const { url } = yield* Server
      const one = { concurrent: 1 }
      const process = RedisLimits.layer({ clock: "server" }).pipe(
        Layer.provide(Layer.fresh(Redis.layer(url)))
      )
      yield* Effect.gen(function* () {
        const limits = yield* Limits
        const first = entry(one)
        yield* limits.acquire(first)
        yield* limits.release(first)
      }).pipe(Effect.provide(Layer.fresh(process)))
      const limits = yield* Limits
      expect(yield* limits.acquire(entry(one))).toMatchObject({ _tag: "Admitted" })
    }).pipe(Effect.provide(limitsBy("server")))
  )
})
