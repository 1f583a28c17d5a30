import assert from "node:assert/strict"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { describe, it } from "vitest"
import {
  CurrentPasswordTurns,
  makePasswordTurns,
  withPasswordTurn
} from "../../core/admin/withPasswordTurn.ts"
import type { Origin, PasswordTurns } from "../../core/person/passwordTurns.ts"
import {
  enterTurn,
  finishTurn,
  leaveTurn,
  noTurns,
  rememberedMax,
  turnsAtOnce,
  waitingMax,
  waitingSeconds
} from "../../core/person/passwordTurns.ts"

const origins = fc.record({
  kind: fc.constantFrom<Origin["kind"]>("known", "stranger"),
  place: fc.integer({ min: 0, max: 9 }).map(String)
})
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ step: fc.constant("enter" as const), origin: origins }) },
    fc.record({ step: fc.constant("leave" as const), origin: origins }),
    fc.record({ step: fc.constant("finish" as const), origin: origins })
  ),
  { maxLength: 200 }
)

/** Takes the steps that are possible, and returns all states with what each step returned. */
const run = (
  taken: ReadonlyArray<{ readonly step: "enter" | "leave" | "finish"; readonly origin: Waiting }>
) => {
  let turns: PasswordTurns = noTurns
  const log: Array<{ step: string; origin: Waiting; decision?: string; turns: PasswordTurns }> = []
  for (const { origin, step } of taken) {
    if (step === "enter") {
      const entered = enterTurn(turns, origin)
      turns = entered.turns
      log.push({ step, origin, decision: entered.decision, turns })
    } else if (step === "leave") {
      turns = leaveTurn(turns, origin)
      log.push({ step, origin, turns })
    } else if (turns.running > 0) {
      const finished = finishTurn(turns)
      turns = finished.turns
      log.push({ step, origin: finished.next ?? { kind: "stranger", place: "" }, turns })
    }
  }
  return log
}

type Waiting = Pick<Origin, "kind" | "place">

describe("turns of hashing a password", () => {
  it("never run more than turnsAtOnce, and an origin waits in one place at most", () => {
    fc.assert(
      fc.property(steps, (taken) => {
        for (const { turns } of run(taken)) {
          assert.ok(turns.running <= turnsAtOnce)
          for (const { waiting: line } of Object.values(turns.lines)) {
            assert.equal(new Set(line).size, line.length)
            assert.ok(line.length <= waitingMax)
            // A turn is free only if no attempt waits.
            if (turns.running < turnsAtOnce) assert.equal(line.length, 0)
          }
        }
      })
    )
  })

  it("go round robin: an origin that waits has its turn before any other has two, kinds alternate", () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const log = run(taken)
        for (const [at, entry] of log.entries()) {
          if (entry.decision !== "wait") continue
          const given: Array<Waiting> = []
          for (const { origin, step } of log.slice(at + 1)) {
            if (step === "leave" && isSame(origin, entry.origin)) break
            if (step !== "finish") continue
            if (isSame(origin, entry.origin)) break
            given.push(origin)
          }
          const own = given.filter(({ kind }) => kind === entry.origin.kind).map(({ place }) => place)
          assert.equal(new Set(own).size, own.length)
          // The other kind never has two turns in a row while this origin waits.
          const others = given.map(({ kind }) => kind === entry.origin.kind)
          assert.ok(others.every((isOwn, index) => isOwn || index === 0 || others[index - 1]))
        }
      })
    )
  })

  it("go to a newcomer before every place that had a turn already", () => {
    let turns = noTurns
    for (let index = 0; index <= 50; index++)
      turns = enterTurn(turns, { kind: "stranger", place: String(index) }).turns
    for (let index = 0; index < 200; index++) {
      const { next, turns: after } = finishTurn(turns)
      turns = next === undefined ? after : enterTurn(after, next).turns
    }
    turns = enterTurn(turns, { kind: "stranger", place: "newcomer" }).turns
    assert.equal(finishTurn(turns).next?.place, "newcomer")
  })

  it("remember a bounded number of places", () => {
    let turns = noTurns
    for (let index = 0; index < rememberedMax + 10; index++)
      turns = finishTurn(enterTurn(turns, { kind: "stranger", place: String(index) }).turns).turns
    assert.equal(turns.lines.stranger.served.size, rememberedMax)
    assert.equal(turns.lines.stranger.served.has("0"), false)
  })

  it("are refused after 20 s of waiting, and the place is free again", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const turns = yield* CurrentPasswordTurns
        const place = { kind: "stranger", subject: "a", place: "a" } as const
        assert.equal(turns.enter({ kind: "stranger", place: "runs" }), "run")
        const waiting = yield* Effect.forkChild(withPasswordTurn(place, Effect.void))
        yield* TestClock.adjust(`${waitingSeconds} seconds`)
        assert.deepEqual(yield* Fiber.join(waiting), { _tag: "Busy" })
        assert.notEqual(turns.enter(place), "busy")
      }).pipe(
        Effect.provideService(CurrentPasswordTurns, makePasswordTurns()),
        Effect.provide(TestClock.layer())
      )
    ))

  it("are refused at once where the place of the origin, or every place, is taken", () => {
    let { turns } = enterTurn(noTurns, { kind: "stranger", place: "running" })
    for (let index = 0; index < waitingMax; index++) {
      const entered = enterTurn(turns, { kind: "stranger", place: String(index) })
      assert.equal(entered.decision, "wait")
      turns = entered.turns
    }
    assert.equal(enterTurn(turns, { kind: "stranger", place: "0" }).decision, "busy")
    assert.equal(enterTurn(turns, { kind: "stranger", place: "one more" }).decision, "busy")
    assert.equal(enterTurn(turns, { kind: "known", place: "one more" }).decision, "wait")
  })

  it("run one after another, and pass on when a caller disconnects while it waits or when a run fails", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const order: Array<string> = []
        const gate = yield* Deferred.make<void>()
        const attempt = (subject: string) =>
          withPasswordTurn(
            { kind: "stranger", subject, place: subject },
            Effect.andThen(
              Effect.sync(() => void order.push(subject)),
              subject === "a" ? Deferred.await(gate) : subject === "c" ? Effect.fail("broken") : Effect.void
            )
          )
        const [a, b, c, d] = yield* Effect.forEach(["a", "b", "c", "d"], (subject) =>
          Effect.forkChild(Effect.exit(attempt(subject)), { startImmediately: true })
        )
        assert.deepEqual(order, ["a"])
        const second = yield* attempt("b")
        assert.deepEqual(second, { _tag: "Busy" })
        if (a === undefined || b === undefined || c === undefined || d === undefined) return assert.fail()
        yield* Fiber.interrupt(b)
        yield* Deferred.succeed(gate, undefined)
        for (const fiber of [a, c, d]) yield* Fiber.await(fiber)
        assert.deepEqual(order, ["a", "c", "d"])
        yield* attempt("e")
        assert.deepEqual(order, ["a", "c", "d", "e"])
      }).pipe(Effect.provideService(CurrentPasswordTurns, makePasswordTurns()))
    ))

  it("pass on when the caller disconnects at the very moment that its turn comes", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const turns = yield* CurrentPasswordTurns
        const [first, second] = [
          { kind: "stranger", place: "first" },
          { kind: "stranger", place: "second" }
        ] as const
        assert.equal(turns.enter(first), "run")
        assert.notEqual(turns.enter(second), "run")
        yield* turns.finish
        yield* turns.leave(second)
        assert.equal(turns.enter(first), "run")
      }).pipe(Effect.provideService(CurrentPasswordTurns, makePasswordTurns()))
    ))
})

const isSame = (one: Waiting, other: Waiting): boolean => one.kind === other.kind && one.place === other.place
