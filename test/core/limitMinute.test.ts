import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import * as Memory from "../../adapters/memory/Limits.ts"
import { failoverLimits, probeEveryMs } from "../../core/call/limits.ts"
import { windowMs } from "../../core/limit/window.ts"
import { Limits, LimitsUnavailable } from "../../core/port/Limits.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { entry, policy } from "../kit/limitsOutage.ts"

const wide = { ...policy, perDay: null }

/** A shared store that may be unavailable or lose its data, and processes over it. */
const site = Effect.gen(function* () {
  const fresh = Effect.map(Layer.build(Layer.fresh(Memory.layer)), Context.get(Limits))
  const state = { isAway: false, store: yield* fresh }
  const ask = <A>(verb: (store: Limits["Service"]) => Effect.Effect<A, LimitsUnavailable>) =>
    Effect.suspend(() =>
      state.isAway ? Effect.fail(new LimitsUnavailable({ fault: "unreachable" })) : verb(state.store)
    )
  const shared = Layer.succeed(Limits, {
    acquire: (one) => ask((store) => store.acquire(one)),
    tryAcquire: (one) => ask((store) => store.tryAcquire(one)),
    release: (one) => Effect.ignore(ask((store) => store.release(one)))
  })
  const process = (nodes: number) =>
    Effect.map(
      Layer.build(failoverLimits({ shared, local: Layer.fresh(Memory.layer), nodes })),
      Context.get(Limits)
    )
  const loseData = Effect.map(fresh, (store) => {
    state.store = store
  })
  return { state, process, loseData }
})

/** So many of these calls are let in. */
const admitted = Effect.fnUntraced(function* (
  limits: Limits["Service"],
  calls: number,
  one: LimitEntry["policy"] = wide
) {
  let count = 0
  for (let nth = 0; nth < calls; nth++) {
    const call = entry(one)
    const said = yield* limits.tryAcquire(call)
    if (said._tag === "Admitted") {
      count++
      yield* limits.release(call)
    }
  }
  return count
})

describe("§8.1.3 a minute holds at most one limit, also when the stores change", () => {
  it.effect("what the shared store admitted is not admitted again while it is unavailable", () =>
    Effect.gen(function* () {
      const { state, process } = yield* site
      const limits = yield* process(1)
      expect(yield* admitted(limits, 50)).toBe(50)
      state.isAway = true
      expect(yield* admitted(limits, 50)).toBe(10)
      expect(yield* limits.acquire(entry(wide))).toMatchObject({
        by: "minute",
        retryAfterMs: windowMs,
        figures: { limit: 30, remaining: 0 }
      })
      yield* TestClock.adjust(windowMs)
      expect(yield* admitted(limits, 50)).toBe(30)
    }).pipe(Effect.scoped)
  )

  it.effect("what was admitted here counts in the shared store when it is back", () =>
    Effect.gen(function* () {
      const { state, process } = yield* site
      const limits = yield* process(1)
      state.isAway = true
      expect(yield* admitted(limits, 70)).toBe(30)
      state.isAway = false
      yield* TestClock.adjust(probeEveryMs)
      expect(yield* admitted(limits, 70)).toBe(30)
      yield* TestClock.adjust(windowMs)
      expect(yield* admitted(limits, 70)).toBe(60)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "what was admitted before and during counts in a store that lost its data, for every process",
    () =>
      Effect.gen(function* () {
        const { loseData, process, state } = yield* site
        const [one, other] = [yield* process(2), yield* process(2)]
        yield* TestClock.adjust(probeEveryMs)
        for (let nth = 0; nth < 25; nth++)
          expect((yield* admitted(one, 1)) + (yield* admitted(other, 1))).toBe(2)
        state.isAway = true
        yield* loseData
        const during = (yield* admitted(one, 25)) + (yield* admitted(other, 25))
        expect(during).toBeLessThanOrEqual(10)
        state.isAway = false
        yield* TestClock.adjust(probeEveryMs)
        const after = (yield* admitted(one, 60)) + (yield* admitted(other, 60))
        expect(50 + during + after).toBeLessThanOrEqual(60)
        yield* TestClock.adjust(windowMs + 10_000)
        expect(yield* admitted(one, 60)).toBe(60)
      }).pipe(Effect.scoped)
  )

  it.effect("a day that changes is no loss of data", () =>
    Effect.gen(function* () {
      const { process } = yield* site
      const limits = yield* process(1)
      yield* TestClock.adjust(86_400_000 - 1_000)
      expect(yield* admitted(limits, 20)).toBe(20)
      yield* TestClock.adjust(2_000)
      expect(yield* admitted(limits, 60)).toBe(40)
    }).pipe(Effect.scoped)
  )

  it.effect("a failure that concerns one subject alone leaves the others whole", () =>
    Effect.gen(function* () {
      const { state } = yield* site
      const shared = Layer.succeed(Limits, {
        ...state.store,
        acquire: (one) =>
          one.subject === "org:two"
            ? Effect.fail(
                new LimitsUnavailable({ fault: "unreachable", reason: "CLUSTERDOWN", isAlone: true })
              )
            : state.store.acquire(one)
      })
      const limits = Context.get(
        yield* Layer.build(failoverLimits({ shared, local: Layer.fresh(Memory.layer), nodes: 1 })),
        Limits
      )
      const two = { ...entry(wide), subject: "org:two" }
      expect(yield* limits.acquire(two)).toMatchObject({ figures: { limit: 30 } })
      expect(yield* limits.acquire(entry(wide))).toMatchObject({ figures: { limit: 60 } })
    }).pipe(Effect.scoped)
  )
})
