import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Limits } from "../../core/port/Limits.ts"
import { probeEveryMs } from "../../core/call/limits.ts"
import { entry, Outage, policy, stores } from "../kit/limitsOutage.ts"

describe("§8.1.3 slots that the shared store may hold of calls that ended while it was unavailable", () => {
  it.effect.each(["unreachable", "timeout"] as const)(
    "a slot that the store gave before it was %s is given back when it returns",
    (fault) =>
      Effect.gen(function* () {
        const limits = yield* Limits
        const state = yield* Outage
        const one = { ...policy, concurrent: 1 }
        const first = entry(one)
        expect(yield* limits.acquire(first)).toMatchObject({ _tag: "Admitted", figures: { limit: 60 } })
        state.fault = fault
        yield* TestClock.adjust(probeEveryMs)
        yield* limits.release(first)
        state.fault = undefined
        yield* TestClock.adjust(probeEveryMs)
        expect(yield* limits.acquire(entry(one))).toMatchObject({ _tag: "Admitted", figures: { limit: 60 } })
      }).pipe(Effect.provide(stores(1)))
  )

  it.effect("a slot that the store gives after its time was over is given back when it returns", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const state = yield* Outage
      const one = { ...policy, concurrent: 1 }
      Object.assign(state, { fault: "timeout", isLateOnly: true })
      const first = entry(one)
      expect(yield* limits.acquire(first)).toMatchObject({ _tag: "Admitted", figures: { limit: 30 } })
      yield* limits.release(first)
      Object.assign(state, { fault: undefined, isLateOnly: false })
      yield* TestClock.adjust(probeEveryMs)
      expect(yield* limits.acquire(entry(one))).toMatchObject({ _tag: "Admitted", figures: { limit: 60 } })
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("nor is one kept whose call was refused here meanwhile", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const state = yield* Outage
      const one = { ...policy, concurrent: 1 }
      Object.assign(state, { fault: "timeout", isLateOnly: true })
      // Two ask at once and are left unanswered: here one of them is too many.
      const [first, second] = [entry(one), { ...entry(one), subject: "org:one" }]
      state.takesMs = 10
      const asking = yield* Effect.forkChild(
        Effect.all([limits.acquire(first), limits.acquire(second)], { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(10)
      expect((yield* Fiber.join(asking)).map(({ _tag }) => _tag)).toEqual(["Admitted", "Refused"])
      yield* limits.release(first)
      Object.assign(state, { fault: undefined, isLateOnly: false, takesMs: 0 })
      yield* TestClock.adjust(2 * probeEveryMs)
      expect(state.left).toBe(2)
      expect(yield* limits.acquire(entry(one))).toMatchObject({ _tag: "Admitted", figures: { limit: 60 } })
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect("the store is told once of each slot it may hold, and of none that it was not asked for", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const state = yield* Outage
      const [before, unanswered, during, refused] = [
        entry(),
        entry(),
        entry(),
        entry({ ...policy, perMinute: 1 })
      ]
      yield* limits.acquire(before)
      state.fault = "unreachable"
      for (const each of [unanswered, during, refused]) yield* limits.acquire(each)
      for (const each of [before, unanswered, during]) yield* limits.release(each)
      expect(state.left).toBe(0)
      state.fault = undefined
      yield* TestClock.adjust(3 * probeEveryMs)
      expect(state.left).toBe(2)
    }).pipe(Effect.provide(stores(1)))
  )
})
