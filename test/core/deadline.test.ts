import { it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { callDeadlineMs, makeDeadlines } from "../../core/call/deadline.ts"

const late = callDeadlineMs + 200

describe("the deadline of a call", () => {
  it.effect("one that ends in time is told as it ended, and not again when its time would be over", () =>
    Effect.gen(function* () {
      const { begin } = yield* makeDeadlines
      const told: Array<unknown> = []
      const answer = yield* Deferred.make<string>()
      begin(Deferred.await(answer), (exit) => told.push(exit))
      begin(Effect.succeed("at once"), (exit) => told.push(exit))
      begin(
        Effect.sync(() => "in the same turn"),
        (exit) => told.push(exit)
      )
      yield* Deferred.succeed(answer, "later")
      yield* Effect.yieldNow
      yield* TestClock.adjust(late)
      expect(told).toEqual(["at once", "in the same turn", "later"].map((said) => Exit.succeed(said)))
    })
  )

  it.effect("one that cannot be cut off is told late, and nobody hears how it ended", () =>
    Effect.gen(function* () {
      const { begin } = yield* makeDeadlines
      const told: Array<unknown> = []
      const answer = yield* Deferred.make<string>()
      begin(Effect.uninterruptible(Deferred.await(answer)), (exit) => told.push(exit))
      yield* TestClock.adjust(late)
      expect(told).toEqual([undefined])
      yield* Deferred.succeed(answer, "too late")
      yield* TestClock.adjust(late)
      expect(told).toEqual([undefined])
    })
  )

  it.effect("one that can be is interrupted, and within a fiber its caller gets the late answer", () =>
    Effect.gen(function* () {
      const { within } = yield* makeDeadlines
      let isCutOff = false
      const steps = Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          isCutOff = true
        })
      )
      const calling = yield* Effect.forkChild(within(steps))
      yield* TestClock.adjust(callDeadlineMs - 200)
      expect(isCutOff).toBe(false)
      yield* TestClock.adjust("400 millis")
      expect(yield* Fiber.join(calling)).toBe(undefined)
      expect(isCutOff).toBe(true)
    })
  )

  it.effect("one that comes after a time without calls has its deadline all the same", () =>
    Effect.gen(function* () {
      const { begin } = yield* makeDeadlines
      const told: Array<unknown> = []
      const answer = yield* Deferred.make<string>()
      begin(Deferred.await(answer), (exit) => told.push(exit))
      yield* Deferred.succeed(answer, "in time")
      yield* TestClock.adjust(late)
      begin(Effect.never, (exit) => told.push(exit))
      yield* TestClock.adjust(callDeadlineMs - 200)
      expect(told).toEqual([Exit.succeed("in time")])
      yield* TestClock.adjust("400 millis")
      expect(told).toEqual([Exit.succeed("in time"), undefined])
    })
  )
})
