import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import * as Memory from "../../adapters/memory/Limits.ts"
import type { LimitDecision, LimitPolicy } from "../../core/limit/policy.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { Limits, LimitsUnavailable } from "../../core/port/Limits.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import { degrading, LimitsHealth, probeEveryMs, unshared } from "../../core/workflow/limiting.ts"
import { remembering } from "../../core/workflow/remembering.ts"

/** The switch of a shared store: how it fails, how long it takes, and how often it was asked. */
class Outage extends Context.Service<
  Outage,
  {
    fault: StoreFault | undefined
    takesMs: number
    asked: number
    left: number
    /** Whether what it does not answer happens all the same. */
    isLateOnly?: boolean
  }
>()("test/Outage") {}

const outage = Layer.sync(Outage, () => ({ fault: undefined, takesMs: 0, asked: 0, left: 0 }))

/** The memory adapter behind a switch: what it decides is real, and only whether it answers is not. */
const shared = Layer.effect(
  Limits,
  Effect.gen(function* () {
    const memory = Context.get(yield* Layer.build(Layer.fresh(Memory.layer)), Limits)
    const state = yield* Outage
    const switched = <Said>(decide: (entry: LimitEntry) => Effect.Effect<Said, LimitsUnavailable>) =>
      Effect.fnUntraced(function* (entry: LimitEntry) {
        if (entry.subject.startsWith("org:")) state.asked++
        const fault = state.fault
        yield* Effect.sleep(state.takesMs)
        if (fault !== undefined) {
          if (state.isLateOnly === true) yield* decide(entry)
          return yield* new LimitsUnavailable({ fault })
        }
        return yield* decide(entry)
      })
    return {
      enter: switched(memory.enter),
      attempt: switched(memory.attempt),
      leave: (entry) =>
        Effect.andThen(
          Effect.sync(() => void state.left++),
          memory.leave(entry)
        )
    }
  })
)

const policy: LimitPolicy = { perMinute: 60, perDay: 40, concurrent: 1_000 }
let calls = 0
const entry = (limits: LimitPolicy = policy) => ({
  subject: "org:one",
  requestId: `req_${calls++}`,
  cost: 1,
  policy: limits
})
const call = Effect.flatMap(Limits, (limits) => limits.enter(entry()))
const check = Effect.flatMap(LimitsHealth, (health) => health.check)
const limitOf = (decision: LimitDecision) => decision.figures.limit

const stores = (nodes: number) =>
  degrading({ shared, local: Layer.fresh(Memory.layer), nodes }).pipe(Layer.provideMerge(outage))

/** As a server composes them: the shared store's refusals are remembered in front of it. */
const rememberingStores = degrading({
  shared: remembering(shared),
  local: Layer.fresh(Memory.layer),
  nodes: 1
}).pipe(Layer.provideMerge(outage))

describe("§8.1.3 the limits while the shared store is away", () => {
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
      expect(yield* limits.enter(first)).toMatchObject({ _tag: "Admitted" })
      expect(yield* limits.enter(entry(one))).toMatchObject({ by: "concurrent", figures: { limit: 30 } })
      state.fault = undefined
      yield* TestClock.adjust(probeEveryMs)
      yield* limits.leave(first)
      state.fault = "unreachable"
      expect(yield* limits.enter(entry(one))).toMatchObject({ _tag: "Admitted", figures: { limit: 30 } })
    }).pipe(Effect.provide(stores(1)))
  )

  it.effect.each(["unreachable", "timeout"] as const)(
    "a slot that the store gave before it was %s is given back when it returns",
    (fault) =>
      Effect.gen(function* () {
        const limits = yield* Limits
        const state = yield* Outage
        const one = { ...policy, concurrent: 1 }
        const first = entry(one)
        expect(yield* limits.enter(first)).toMatchObject({ _tag: "Admitted", figures: { limit: 60 } })
        state.fault = fault
        yield* TestClock.adjust(probeEveryMs)
        yield* limits.leave(first)
        state.fault = undefined
        yield* TestClock.adjust(probeEveryMs)
        expect(yield* limits.enter(entry(one))).toMatchObject({ _tag: "Admitted", figures: { limit: 60 } })
      }).pipe(Effect.provide(stores(1)))
  )

  it.effect("a slot that the store gives after its time was over is given back when it returns", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const state = yield* Outage
      const one = { ...policy, concurrent: 1 }
      Object.assign(state, { fault: "timeout", isLateOnly: true })
      const first = entry(one)
      expect(yield* limits.enter(first)).toMatchObject({ _tag: "Admitted", figures: { limit: 30 } })
      yield* limits.leave(first)
      Object.assign(state, { fault: undefined, isLateOnly: false })
      yield* TestClock.adjust(probeEveryMs)
      expect(yield* limits.enter(entry(one))).toMatchObject({ _tag: "Admitted", figures: { limit: 60 } })
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
        Effect.all([limits.enter(first), limits.enter(second)], { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(10)
      expect((yield* Fiber.join(asking)).map(({ _tag }) => _tag)).toEqual(["Admitted", "Refused"])
      yield* limits.leave(first)
      Object.assign(state, { fault: undefined, isLateOnly: false, takesMs: 0 })
      yield* TestClock.adjust(2 * probeEveryMs)
      expect(state.left).toBe(2)
      expect(yield* limits.enter(entry(one))).toMatchObject({ _tag: "Admitted", figures: { limit: 60 } })
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
      yield* limits.enter(before)
      state.fault = "unreachable"
      for (const each of [unanswered, during, refused]) yield* limits.enter(each)
      for (const each of [before, unanswered, during]) yield* limits.leave(each)
      expect(state.left).toBe(0)
      state.fault = undefined
      yield* TestClock.adjust(3 * probeEveryMs)
      expect(state.left).toBe(2)
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
    }).pipe(Effect.provide(rememberingStores))
  )

  it.effect("one process that shares with nobody is never degraded", () =>
    Effect.gen(function* () {
      expect(limitOf(yield* call)).toBe(60)
      expect(yield* check).toEqual({ status: "up", latencyMs: 0 })
    }).pipe(Effect.provide(unshared(Memory.layer)))
  )
})

describe("a flood of refused calls", () => {
  it.effect("asks the store once a second, or at once when another limit is in force", () =>
    Effect.gen(function* () {
      const limits = yield* Limits
      const state = yield* Outage
      const one = { ...policy, perMinute: 1 }
      yield* limits.enter(entry(one))
      for (let nth = 0; nth < 100; nth++) {
        expect(yield* limits.enter(entry(one))).toMatchObject({
          by: "minute",
          retryAfterMs: 60_000 - nth * 100
        })
        yield* TestClock.adjust(100)
      }
      expect(state.asked).toBe(1 + 10)
      expect(yield* limits.enter(entry({ ...one, perMinute: 2 }))).toMatchObject({ _tag: "Admitted" })
      expect(state.asked).toBe(12)
    }).pipe(Effect.provide(remembering(shared).pipe(Layer.provideMerge(outage))))
  )
})
