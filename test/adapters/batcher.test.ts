import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { isFilling, makeBatcher, queueMax } from "../../adapters/fast/batcher.ts"

/** A batcher whose flushes end when they are told to, and what they held. */
const held = (batchMax = 100) =>
  Effect.gen(function* () {
    const batches: Array<ReadonlyArray<number>> = []
    const ends: Array<(behind?: Exit.Exit<number, string>) => void> = []
    const batcher = yield* makeBatcher<number, number, string>({
      store: "charges",
      batchMax,
      full: "full",
      flush: (items, answer) => {
        batches.push(items)
        ends.push((behind) =>
          answer(
            items.map((item) => Exit.succeed(-item)),
            behind
          )
        )
      }
    })
    const submit = (...items: ReadonlyArray<number>) =>
      Effect.forkChild(Effect.forEach(items, batcher.submit, { concurrency: "unbounded" }), {
        startImmediately: true
      })
    return {
      ...batcher,
      submit,
      one: batcher.submit,
      batches,
      end: () => ends.shift()?.() ?? undefined,
      ends
    }
  })

const turns = Effect.promise(async () => {
  for (let nth = 0; nth < 20; nth++) await new Promise(setImmediate)
})

describe("a batcher", () => {
  it.live("has one flush in flight, and who comes meanwhile goes with the next, each answered once", () =>
    Effect.gen(function* () {
      const { batches, end, submit } = yield* held()
      const first = yield* submit(1, 2)
      yield* turns
      const next = yield* submit(3)
      const last = yield* submit(4, 5)
      yield* turns
      expect(batches).toEqual([[1, 2]])
      end()
      expect(yield* Fiber.join(first)).toEqual([-1, -2])
      yield* turns
      expect(batches).toEqual([
        [1, 2],
        [3, 4, 5]
      ])
      end()
      expect([yield* Fiber.join(next), yield* Fiber.join(last)]).toEqual([[-3], [-4, -5]])
    }).pipe(Effect.scoped)
  )

  it.live("sends no larger batch than it may, in the order of arrival", () =>
    Effect.gen(function* () {
      const { batches, end, submit } = yield* held(2)
      yield* submit(1, 2, 3, 4, 5)
      for (let nth = 0; nth < 3; nth++) {
        yield* turns
        end()
      }
      expect(batches).toEqual([[1, 2], [3, 4], [5]])
    }).pipe(Effect.scoped)
  )

  it.live("refuses at once who finds the queue full", () =>
    Effect.gen(function* () {
      const { batches, ends, one, submit } = yield* held(queueMax)
      yield* submit(0)
      yield* turns
      yield* submit(...Array.from({ length: queueMax }, (_, nth) => nth))
      expect(yield* Effect.flip(one(1))).toBe("full")
      ends.shift()?.(Exit.fail("unreachable"))
      yield* turns
      expect(batches).toEqual([[0]])
    }).pipe(Effect.scoped)
  )

  it.live("tells all who wait behind a flush what they would meet, where the flush says so", () =>
    Effect.gen(function* () {
      const { batches, ends, one, submit } = yield* held()
      yield* submit(1)
      yield* turns
      const behind = yield* Effect.forkChild(Effect.exit(one(2)), { startImmediately: true })
      ends.shift()?.(Exit.fail("unreachable"))
      expect(yield* Fiber.join(behind)).toEqual(Exit.fail("unreachable"))
      expect(batches).toEqual([[1]])
    }).pipe(Effect.scoped)
  )

  it.live("flushes although nobody waits, once it was asked to and not before its time", () =>
    Effect.gen(function* () {
      const { batches, end, flushWithin, submit } = yield* held()
      flushWithin(30)
      flushWithin(30)
      yield* turns
      expect(batches).toEqual([])
      yield* Effect.sleep(100)
      expect(batches).toEqual([[]])
      end()
      flushWithin(30)
      yield* submit(1)
      yield* turns
      end()
      yield* Effect.sleep(100)
      expect(batches).toEqual([[], [1]])
    }).pipe(Effect.scoped)
  )

  it.live("flushes what waits when it closes, and what is due; who comes later is refused", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { batches, end, flushWithin, one, submit } = yield* Scope.provide(held(), scope)
      yield* submit(1)
      yield* turns
      const waiting = yield* submit(2)
      flushWithin(60_000)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      expect(yield* Effect.flip(one(3))).toBe("full")
      end()
      yield* turns
      expect(batches).toEqual([[1], [2]])
      expect(closing.pollUnsafe()).toBeUndefined()
      end()
      yield* Fiber.join(closing)
      expect(yield* Fiber.join(waiting)).toEqual([-2])
    })
  )

  it.live("carries out what is due as it closes", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { batches, end, flushWithin } = yield* Scope.provide(held(), scope)
      flushWithin(60_000)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* turns
      expect(batches).toEqual([[]])
      end()
      yield* Fiber.join(closing)
    })
  )
})

/** The turns of the event loop that a batch waits where none joins it. */
const turnsOf = (waiting: number, before: number): number => {
  let passed = 0
  while (isFilling({ waiting, before, turns: passed })) passed += 1
  return passed
}

describe("a batch that gathers", () => {
  it("waits for nobody where the one before was small", () => {
    for (const before of [0, 1, 2, 7]) expect(turnsOf(1, before)).toBe(0)
  })

  it("waits a few turns where many came before, and no longer", () => {
    expect(turnsOf(1, 8)).toBe(10)
    expect(turnsOf(15, 8)).toBe(10)
    expect(turnsOf(1, 1_000)).toBe(10)
  })

  it("goes out once it is twice as large as the one before", () => {
    expect(turnsOf(16, 8)).toBe(0)
    expect(turnsOf(17, 8)).toBe(0)
  })
})
