import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import * as Memory from "../../adapters/memory/Limits.ts"
import type { LimitDecision } from "../../core/limit/policy.ts"
import { Limits } from "../../core/port/Limits.ts"
import {
  failoverLimits,
  LimitsHealth,
  localLimits,
  probeEveryMs,
  rejectionCache
} from "../../core/call/limits.ts"
import { entry, Outage, outage, policy, switchableLimits, stores } from "../kit/limitsOutage.ts"

const call = Effect.flatMap(Limits, (limits) => limits.acquire(entry()))
const check = Effect.flatMap(LimitsHealth, (health) => health.check)
const limitOf = (decision: LimitDecision) => decision.figures.limit

/** As a server composes them: the shared store's refusals are remembered in front of it. */
const rejectionCacheStores = failoverLimits({
  shared: rejectionCache(switchableLimits),
  local: Layer.fresh(Memory.layer),
  nodes: 1
}).pipe(Layer.provideMerge(outage))

describe("§8.1.3 the limits while the shared store is unavailable", () => {
  it.effect("the headers show half the limit, and the whole again once a probe was answered", () =>
    Effect.gen(function* () {
      const state = yield* Outage
      expect(limitOf(yield* call)).toBe(60)
      state.fault = "unreachable"
      expect(limitOf(yield* call)).toBe(30)
      state.fault = undefined
      expect(limitOf(yield* call)).toBe(30)
      yield* TestClock.adjust(probeEveryMs)
      expect(limitOf(yield* call)).toBe(60)
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("exactly half is admitted in the minute, shared by the processes behind one address", () =>
    Effect.gen(function* () {
      const state = yield* Outage
      state.fault = "unreachable"
      const admitted: Array<LimitDecision> = []
      for (let nth = 0; nth < 40; nth++) admitted.push(yield* call)
      expect(admitted.filter(({ _tag }) => _tag === "Admitted").length).toBe(15)
      expect(admitted.at(-1)).toMatchObject({ by: "minute", figures: { limit: 15, remaining: 0 } })
    }).pipe(Effect.provide(stores(2)))
  )

  it.effect("the day's quota counts in the process too", () =>
    Effect.gen(function* () {
      const state = yield* Outage
      state.fault = "unreachable"
      for (let nth = 0; nth < 30; nth++) yield* call
      yield* TestClock.adjust(60_000)
      for (let nth = 0; nth < 10; nth++) yield* call
      expect(yield* call).toMatchObject({ by: "day", figures: { remaining: 0, resetMs: 86_400_000 } })
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("a store that hangs costs a call its timeout once, and no call after it", () =>
    Effect.gen(function* () {
      const state = yield* Outage
      yield* call
      Object.assign(state, { fault: "timeout", takesMs: 200 })
      const waiting = yield* Effect.forkChild(call)
      yield* TestClock.adjust(200)
      expect(limitOf(yield* Fiber.join(waiting))).toBe(30)
      const { asked } = state
      // The test clock stands still, so a call that waited for the store would never end.
      for (let nth = 0; nth < 20; nth++) expect(limitOf(yield* call)).toBe(30)
      expect(state.asked).toBe(asked)
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("the store's return is noticed within a probe and its answer, without a call", () =>
    Effect.gen(function* () {
      const state = yield* Outage
      Object.assign(state, { fault: "timeout", takesMs: 200 })
      yield* TestClock.adjust(10_000)
      expect(yield* check).toMatchObject({ status: "down" })
      Object.assign(state, { fault: undefined, takesMs: 3 })
      yield* TestClock.adjust(200 + probeEveryMs + 3)
      expect(yield* check).toEqual({ status: "up", latencyMs: 3 })
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("the store's loss is noticed without a call", () =>
    Effect.gen(function* () {
      const state = yield* Outage
      yield* TestClock.adjust(1_000)
      expect(yield* check).toEqual({ status: "up", latencyMs: 0 })
      state.fault = "unreachable"
      yield* TestClock.adjust(probeEveryMs)
      expect(yield* check).toMatchObject({ status: "down" })
      expect(limitOf(yield* call)).toBe(30)
      expect(state.asked).toBe(0)
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("a call sent before an outage ended says nothing about the store after it", () =>
    Effect.gen(function* () {
      const state = yield* Outage
      yield* TestClock.adjust(1)
      Object.assign(state, { fault: "timeout", takesMs: 2_000 })
      const slow = yield* Effect.forkChild(call)
      yield* Effect.yieldNow
      state.takesMs = 0
      yield* TestClock.adjust(probeEveryMs)
      expect(yield* check).toMatchObject({ status: "down" })
      state.fault = undefined
      yield* TestClock.adjust(probeEveryMs)
      expect(yield* check).toMatchObject({ status: "up" })
      yield* TestClock.adjust(2_000)
      expect(limitOf(yield* Fiber.join(slow))).toBe(30)
      expect(limitOf(yield* call)).toBe(60)
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("a statement that the store refused decides one call here and opens nothing", () =>
    Effect.gen(function* () {
      const state = yield* Outage
      yield* call
      state.fault = "refused"
      expect(limitOf(yield* call)).toBe(30)
      state.fault = undefined
      expect(limitOf(yield* call)).toBe(60)
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("a slot taken here during an outage is free again after it", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const state = yield* Outage
      const one = { ...policy, concurrent: 1 }
      state.fault = "unreachable"
      const first = entry(one)
      expect(yield* limits.acquire(first)).toMatchObject({ _tag: "Admitted" })
      expect(yield* limits.acquire(entry(one))).toMatchObject({ by: "concurrent", figures: { limit: 30 } })
      state.fault = undefined
      yield* TestClock.adjust(probeEveryMs)
      yield* limits.release(first)
      state.fault = "unreachable"
      expect(yield* limits.acquire(entry(one))).toMatchObject({ _tag: "Admitted", figures: { limit: 30 } })
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("a probe asks the store itself, also where refusals are answered from memory", () =>
    Effect.gen(function* () {
      const state = yield* Outage
      // By now the probe's own subject is over its limit, and a refusal could be remembered for a second.
      yield* TestClock.adjust(3 * probeEveryMs)
      expect(yield* check).toMatchObject({ status: "up" })
      state.fault = "unreachable"
      yield* TestClock.adjust(probeEveryMs)
      expect(yield* check).toMatchObject({ status: "down" })
    }).pipe(Effect.provide(rejectionCacheStores))
  )

  it.effect("one process that shares with nobody is never degraded", () =>
    Effect.gen(function* () {
      expect(limitOf(yield* call)).toBe(60)
      expect(yield* check).toEqual({ status: "up", latencyMs: 0 })
    }).pipe(Effect.provide(localLimits(Memory.layer)))
  )
})

describe("a flood of refused calls", () => {
  it.effect("asks the store once a second, or at once when another limit is in force", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const state = yield* Outage
      const one = { ...policy, perMinute: 1 }
      yield* limits.acquire(entry(one))
      for (let nth = 0; nth < 100; nth++) {
        expect(yield* limits.acquire(entry(one))).toMatchObject({
          by: "minute",
          retryAfterMs: 60_000 - nth * 100
        })
        yield* TestClock.adjust(100)
      }
      expect(state.asked).toBe(1 + 10)
      expect(yield* limits.acquire(entry({ ...one, perMinute: 2 }))).toMatchObject({ _tag: "Admitted" })
      expect(state.asked).toBe(12)
    }).pipe(Effect.provide(rejectionCache(switchableLimits).pipe(Layer.provideMerge(outage))))
  )
})
