import assert from "node:assert/strict"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { leaseMs } from "../../core/idempotency/record.ts"
import type { WorkResult } from "../../core/port/Transactions.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { chargeOf, newAccount, freshId } from "./accounts.ts"
import { begin, executeClaim, freshRequest, keep } from "./idempotencyLaws.ts"
import type { Law } from "./Law.ts"
import { cost, commitsLeft, setMark, statementOf } from "./transactionsLaws.ts"
import type { Writes } from "./writes.ts"

/** How a write among many goes. */
const ways = ["keeps", "undoes", "fails", "dies", "is interrupted", "is stale", "cannot pay"] as const
type Way = (typeof ways)[number]

const organizations = 24

/** What a store of transactions keeps when many organizations write at once, and share what they may. */
export const manyTransactionsLaws: ReadonlyArray<Law<Writes>> = [
  {
    says: "law 1: of many organizations that write at once all is there, once, under the right key",
    check: Effect.gen(function* () {
      const writes = yield* Effect.forEach(Array.from({ length: organizations }), () => writer("keeps"))
      for (const rounds of [1, 2]) {
        const written = yield* Effect.all(
          writes.map(({ again }) => again),
          { concurrency: "unbounded" }
        )
        for (const [nth, one] of written.entries()) {
          const available = 100 - rounds * cost
          assert.deepEqual(
            one.written,
            Exit.succeed({ _tag: "Committed", value: nthOf(writes, nth), available })
          )
          const replay = yield* begin(one.request)
          assert.equal(replay._tag === "Replay" && Buffer.from(replay.answer).toString(), "an answer")
        }
        for (const { organizationId, mark } of writes)
          yield* commitsLeft({ organizationId, mark, commits: rounds })
      }
    })
  },
  ...ways.slice(1).map(
    (way): Law<Writes> => ({
      says: `law 1: one that ${way} among many leaves nothing, and takes nobody along`,
      check: Effect.gen(function* () {
        const odd = yield* writer(way)
        const others = yield* Effect.forEach(Array.from({ length: organizations }), () => writer("keeps"))
        const burst = [...others.slice(0, 12), odd, ...others.slice(12)]
        // Who claims its turn while others write comes too late to share with them.
        const claimed = yield* Effect.all(
          burst.map(({ claim }) => claim),
          { concurrency: "unbounded" }
        )
        const written = yield* Effect.all(claimed, { concurrency: "unbounded" })
        for (const [nth, { written: one }] of written.entries()) {
          const of = burst[nth]
          if (of === odd) assert.equal(toldOf(one), ends[way])
          else assert.equal(toldOf(one), "Committed")
        }
        for (const { organizationId, mark } of others)
          yield* commitsLeft({ organizationId, mark, commits: 1 })
        assert.equal((yield* statementOf(odd.organizationId)).charged, 0)
        yield* commitsLeft({ organizationId: odd.organizationId, mark: odd.mark, commits: 0 })
      })
    })
  ),
  {
    says: "law 1: callers that are cut off among many leave nothing, and the others are served",
    check: Effect.gen(function* () {
      const writes = yield* Effect.forEach(Array.from({ length: organizations }), () => writer("keeps"))
      for (let turns = 0; turns < 40; turns += 1) {
        const fibers = yield* Effect.forEach(writes, ({ again }) => Effect.forkChild(again))
        for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
        const isCut = (nth: number) => nth % 3 === 0
        yield* Fiber.interruptAll(fibers.filter((_, nth) => isCut(nth)))
        const exits = yield* Effect.forEach(fibers, Fiber.await)
        for (const [nth, exit] of exits.entries()) {
          if (!isCut(nth)) assert.equal(Exit.isSuccess(exit) && toldOf(exit.value.written), "Committed")
          const { organizationId, mark } = writes[nth] ?? assert.fail()
          const charged = (yield* statementOf(organizationId)).charged
          yield* commitsLeft({ organizationId, mark, commits: charged / cost })
          if (!isCut(nth)) assert.equal(charged, (turns + 1) * cost)
        }
        if ((turns + 2) * cost > 100) return
      }
    })
  },
  {
    says: "law 1: a caller that is cut off while its work runs leaves nothing, and writes again like the others",
    // Whether it shares or goes alone is the store's to choose: of several one will have shared.
    check: Effect.repeat(
      Effect.suspend(() => cutOffAtWork),
      { times: 4 }
    )
  }
]

const cutOffAtWork = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>()
  // The first time it waits for what never comes.
  const waits = Effect.flatMap(Deferred.succeed(begun, undefined), (isFirst) =>
    isFirst ? Effect.never : Effect.void
  )
  const odd = yield* writer("keeps", waits)
  const others = yield* Effect.forEach(Array.from({ length: organizations }), () => writer("keeps"))
  const served = yield* Effect.forEach(others.slice(0, 12), ({ again }) => Effect.forkChild(again))
  const cut = yield* Effect.forkChild(odd.again)
  served.push(...(yield* Effect.forEach(others.slice(12), ({ again }) => Effect.forkChild(again))))
  yield* Deferred.await(begun)
  yield* Fiber.interrupt(cut)
  for (const fiber of served) assert.equal(toldOf((yield* Fiber.join(fiber)).written), "Committed")
  yield* commitsLeft({ organizationId: odd.organizationId, mark: odd.mark, commits: 0 })
  assert.equal(toldOf((yield* odd.again).written), "Committed")
  for (const { organizationId, mark } of [odd, ...others])
    yield* commitsLeft({ organizationId, mark, commits: 1 })
})

/**
 * An organization of its own and a write of its that goes the way, `meanwhile` included: `claim` takes its
 * turn and gives the write, `again` does both.
 */
const writer = Effect.fnUntraced(function* (way: Way, meanwhile: Effect.Effect<void> = Effect.void) {
  const { organizationId } = yield* newAccount({ pack: "credits" })
  const mark = freshId("mark_")
  const claim = Effect.gen(function* () {
    const { write } = yield* Transactions
    const request = freshRequest()
    const claim = yield* executeClaim(request)
    if (way === "is stale") {
      yield* TestClock.adjust(leaseMs)
      yield* executeClaim(request)
    }
    const charge = chargeOf(organizationId, { cost: way === "cannot pay" ? 101 : cost })
    const work = Effect.andThen(
      Effect.andThen(setMark(mark), meanwhile),
      Effect.suspend(worked[way](organizationId))
    )
    return Effect.map(Effect.exit(write({ claim, charge, work })), (written) => ({ request, written }))
  })
  return { organizationId, mark, claim, again: Effect.flatten(claim) }
})

const worked: Readonly<Record<Way, (value: string) => () => Effect.Effect<WorkResult<string>, string>>> = {
  keeps: (value) => () => Effect.succeed(keep(value)),
  undoes: (value) => () => Effect.succeed({ _tag: "Undo", value }),
  fails: () => () => Effect.fail("refused"),
  dies: () => () => Effect.die("a bug"),
  "is interrupted": () => () => Effect.interrupt,
  "is stale": (value) => () => Effect.succeed(keep(value)),
  "cannot pay": (value) => () => Effect.succeed(keep(value))
}

const ends: Readonly<Record<Way, string>> = {
  keeps: "Committed",
  undoes: "Undone",
  fails: "Fail",
  dies: "Die",
  "is interrupted": "Interrupt",
  "is stale": "Stale",
  "cannot pay": "Exhausted"
}

const toldOf = (exit: Exit.Exit<{ readonly _tag: string }, unknown>): string | undefined =>
  Exit.isSuccess(exit) ? exit.value._tag : exit.cause.reasons[0]?._tag

const nthOf = (writes: ReadonlyArray<{ readonly organizationId: string }>, nth: number) =>
  writes[nth]?.organizationId
