import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import * as Memory from "../../adapters/memory/Limits.ts"
import { dayMs } from "../../core/limit/quota.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { Limits, LimitsUnavailable } from "../../core/port/Limits.ts"
import { failoverLimits, probeEveryMs, localLimits } from "../../core/call/limits.ts"
import { dailyUsageBackfill } from "../../core/call/dailyUsageBackfill.ts"
import { countAdmitted, caller, quota, Rows, rows } from "../kit/dayCalls.ts"

/** One process: what it counted ends with it, and the rows stay. */
const alone = Layer.fresh(dailyUsageBackfill(localLimits(Layer.fresh(Memory.layer))))
const reads = Effect.map(Rows, (state) => state.reads)

describe("contract §1 the day's quota of a process that counts for itself", () => {
  it.effect("goes on after a restart from what the day's calls have used", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      expect(yield* Effect.provide(countAdmitted(30, call), alone)).toBe(30)
      yield* Effect.gen(function* () {
        expect(yield* countAdmitted(11, call)).toBe(10)
        expect(yield* call()).toMatchObject({ by: "day", figures: { remaining: 0, resetMs: 20_301 * dayMs } })
      }).pipe(Effect.provide(alone))
      expect(yield* reads).toBe(2)
    }).pipe(Effect.provide(rows))
  )

  it.effect("is read once for a hundred first calls at once, and never while it counts", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      yield* Effect.gen(function* () {
        yield* Effect.all(
          Array.from({ length: 30 }, () => call()),
          { concurrency: "unbounded" }
        )
        expect(yield* reads).toBe(1)
        expect(yield* countAdmitted(100, call)).toBe(10)
        expect(yield* reads).toBe(1)
      }).pipe(Effect.provide(alone))
    }).pipe(Effect.provide(rows))
  )

  it.effect("is read once after a restart even if it is used up, however many calls are refused", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      yield* Effect.provide(countAdmitted(40, call), alone)
      expect(yield* Effect.provide(countAdmitted(50, call), alone)).toBe(0)
      expect(yield* reads).toBe(2)
    }).pipe(Effect.provide(rows))
  )

  it.effect("is whole again at midnight, for one more read", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      yield* Effect.gen(function* () {
        yield* countAdmitted(40, call)
        yield* TestClock.setTime(20_301 * dayMs)
        expect(yield* countAdmitted(50, call)).toBe(40)
        expect(yield* reads).toBe(2)
      }).pipe(Effect.provide(alone))
    }).pipe(Effect.provide(rows))
  )

  it.effect("without a quota nothing is read", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      expect(yield* Effect.provide(countAdmitted(50, call, { ...quota, perDay: null }), alone)).toBe(50)
      expect(yield* reads).toBe(0)
    }).pipe(Effect.provide(rows))
  )

  it.effect("is not guessed while the rows are unavailable, and nothing of any limit is used", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      const state = yield* Rows
      yield* Effect.gen(function* () {
        state.away = true
        expect(yield* Effect.flip(call())).toEqual(new LimitsUnavailable({ fault: "unreachable" }))
        state.away = false
        expect(yield* call()).toMatchObject({ _tag: "Admitted", figures: { remaining: 999 } })
      }).pipe(Effect.provide(alone))
    }).pipe(Effect.provide(rows))
  )

  it.effect("a caller who leaves while it is read takes nobody's answer along", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(call(), { startImmediately: true })
        const second = yield* Effect.forkChild(call(), { startImmediately: true })
        yield* Fiber.interrupt(first)
        expect(yield* Fiber.join(second)).toMatchObject({ _tag: "Admitted" })
        expect(yield* reads).toBe(1)
      }).pipe(Effect.provide(alone))
    }).pipe(Effect.provide(rows))
  )
})

/** A store that decides at once and is heard ten milliseconds later. */
const distant = Layer.effect(
  Limits,
  Effect.gen(function* () {
    const limits = yield* Limits
    const received = <Said>(said: Effect.Effect<Said, LimitsUnavailable>) =>
      Effect.tap(said, () => Effect.sleep("10 millis"))
    return {
      acquire: (entry) => received(limits.acquire(entry)),
      tryAcquire: (entry) => received(limits.tryAcquire(entry)),
      release: limits.release
    }
  })
).pipe(Layer.provide(Layer.fresh(Memory.layer)))

describe("contract §1 the day's quota in a store at some distance", () => {
  it.effect("is read once, though some hear late that the store did not know it", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(call(), { startImmediately: true })
        yield* TestClock.adjust("5 millis")
        const second = yield* Effect.forkChild(call(), { startImmediately: true })
        yield* TestClock.adjust("1 second")
        expect([yield* Fiber.join(first), yield* Fiber.join(second)]).toMatchObject([
          { _tag: "Admitted" },
          { _tag: "Admitted" }
        ])
        expect(yield* reads).toBe(1)
        const third = yield* Effect.forkChild(call(), { startImmediately: true })
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(third)).toMatchObject({ _tag: "Admitted" })
        expect(yield* reads).toBe(1)
      }).pipe(Effect.provide(Layer.fresh(dailyUsageBackfill(distant))))
    }).pipe(Effect.provide(rows))
  )
})

/** A shared store that may be unreachable, which all it knows outlives. */
class Cable extends Context.Service<Cable, { cut: boolean }>()("test/Cable") {}

const shared = Layer.effect(
  Limits,
  Effect.gen(function* () {
    const limits = yield* Limits
    const cable = yield* Cable
    const through = <Said>(decide: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>) =>
      Effect.fnUntraced(function* (entry: LimitEntry) {
        if (cable.cut) return yield* new LimitsUnavailable({ fault: "unreachable" })
        return yield* decide(entry)
      })
    return {
      acquire: through(limits.acquire),
      tryAcquire: through(limits.tryAcquire),
      release: limits.release
    }
  })
).pipe(Layer.provide(Layer.fresh(Memory.layer)))

const degradable = dailyUsageBackfill(
  failoverLimits({ shared, local: Layer.fresh(Memory.layer), nodes: 1 })
).pipe(Layer.provideMerge(Layer.sync(Cable, () => ({ cut: false }))))

describe("contract §1 the day's quota while the shared store comes and goes", () => {
  const cut = (isCut: boolean) =>
    Effect.gen(function* () {
      const cable = yield* Cable
      cable.cut = isCut
      yield* TestClock.adjust(probeEveryMs)
    })

  it.effect("is carried into every outage and back, with one read at each change of stores", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      yield* Effect.gen(function* () {
        for (const [turn, isCut] of [false, true, false, true, false].entries()) {
          yield* cut(isCut)
          expect(yield* countAdmitted(6, call)).toBe(6)
          expect(yield* reads).toBe(turn + 1)
        }
        expect(yield* countAdmitted(20, call)).toBe(10)
        yield* cut(true)
        expect(yield* countAdmitted(20, call)).toBe(0)
        expect(yield* reads).toBe(6)
      }).pipe(Effect.provide(degradable))
    }).pipe(Effect.provide(rows))
  )

  it.effect("a second outage begins with what others let in since the first", () =>
    Effect.gen(function* () {
      const { call } = yield* caller
      yield* Effect.gen(function* () {
        yield* cut(true)
        expect(yield* countAdmitted(5, call)).toBe(5)
        yield* cut(false)
        expect(yield* Effect.provide(countAdmitted(15, call), alone)).toBe(15)
        yield* cut(true)
        expect(yield* countAdmitted(40, call)).toBe(20)
      }).pipe(Effect.provide(degradable))
    }).pipe(Effect.provide(rows))
  )

  it.effect("an outage reads nothing of organizations that do not call", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* caller, yield* caller]
      yield* Effect.gen(function* () {
        yield* countAdmitted(3, one.call)
        yield* countAdmitted(3, other.call)
        yield* cut(true)
        yield* cut(false)
        expect(yield* countAdmitted(3, one.call)).toBe(3)
        expect(yield* reads).toBe(2)
        yield* cut(true)
        expect(yield* countAdmitted(20, one.call)).toBe(20)
        yield* cut(false)
        expect(yield* countAdmitted(40, one.call)).toBe(14)
        expect(yield* countAdmitted(40, other.call)).toBe(37)
        expect(yield* reads).toBe(4)
      }).pipe(Effect.provide(degradable))
    }).pipe(Effect.provide(rows))
  )
})
