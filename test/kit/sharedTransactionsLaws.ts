import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { leaseMs } from "../../core/idempotency/record.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Claim } from "../../core/port/Idempotency.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { chargeOf, newAccount, freshId } from "./accounts.ts"
import { begin, countTags, executeClaim, freshRequest, keep } from "./idempotencyLaws.ts"
import type { Law } from "./Law.ts"
import { cost, commitsLeft, countMark, setMark, statementOf, subject } from "./transactionsLaws.ts"
import { AnotherProcess } from "./writes.ts"
import type { Writes } from "./writes.ts"

/** What they keep when two processes share the store. */
export const sharedTransactionsLaws: ReadonlyArray<Law<Writes | AnotherProcess>> = [
  {
    says: "law 4: another process sees all of a committed write",
    check: Effect.gen(function* () {
      const elsewhere = yield* AnotherProcess
      const { request, organizationId, mark, write } = yield* subject
      yield* write(yield* executeClaim(request), Effect.as(setMark(mark), keep("done")))
      yield* Effect.provide(commitsLeft({ organizationId, mark, commits: 1 }), elsewhere)
      assert.equal((yield* Effect.provide(begin(request), elsewhere))._tag, "Replay")
    })
  },
  {
    says: "law 2: of two owners in two processes that end at once one commits",
    check: Effect.gen(function* () {
      const elsewhere = yield* AnotherProcess
      for (let round = 0; round < 10; round++) {
        const { request, organizationId, mark, write } = yield* subject
        const first = yield* executeClaim(request)
        const takeover = Effect.andThen(
          TestClock.adjust(leaseMs),
          Effect.provide(executeClaim(request), elsewhere)
        )
        const theirs = Effect.flatMap(takeover, (second) =>
          Effect.forkDetach(Effect.provide(own(organizationId, mark, second), elsewhere))
        )
        const written = yield* write(first, Effect.map(theirs, keep))
        assert.deepEqual(written, { _tag: "Stale" })
        yield* untilReplayed(request)
        yield* commitsLeft({ organizationId, mark, commits: 1 })
      }
    })
  },
  {
    says: "law 3: of two processes whose writes and reads race for 100 credits, exactly 100 are spent",
    check: Effect.gen(function* () {
      const elsewhere = yield* AnotherProcess
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const mark = freshId("mark_")
      const one = Effect.gen(function* () {
        const { write } = yield* Transactions
        const { charge } = yield* Ledger
        const work = Effect.as(setMark(mark), keep("done"))
        const writes = Array.from({ length: 60 }, () =>
          write({ claim: undefined, charge: chargeOf(organizationId), work })
        )
        const reads = Array.from({ length: 20 }, () => charge(chargeOf(organizationId)))
        return yield* Effect.all([...writes, ...reads], { concurrency: "unbounded" })
      })
      const all = (yield* Effect.all([one, Effect.provide(one, elsewhere)], { concurrency: 2 })).flat()
      const { Committed = 0, Charged = 0, Exhausted } = countTags(all)
      assert.deepEqual([Committed + Charged, Exhausted], [100, 60])
      assert.equal(yield* countMark(mark), Committed)
      assert.deepEqual(yield* statementOf(organizationId), {
        granted: 100,
        charged: 100,
        refunded: 0,
        expired: 0,
        balance: 0,
        entries: 101
      })
    })
  },
  {
    says: "charges = commits × cost and events = commits while owners of two processes crash and take over",
    check: Effect.gen(function* () {
      const elsewhere = yield* AnotherProcess
      const { organizationId } = yield* newAccount({ pack: "scale" })
      const mark = freshId("mark_")
      const requests = Array.from({ length: 8 }, freshRequest)
      for (let round = 0; round < 12; round++) {
        const fibers = yield* Effect.forEach(requests, (request, index) => {
          const run = attempt(organizationId, mark, request)
          return Effect.forkChild((index + round) % 2 === 0 ? run : Effect.provide(run, elsewhere))
        })
        for (let turns = 0; turns < round * 3; turns++) yield* Effect.yieldNow
        yield* Fiber.interruptAll(fibers.filter((_, index) => index % 4 !== round % 4))
        yield* Effect.forEach(fibers, Fiber.await)
        yield* TestClock.adjust(leaseMs)
      }
      yield* Effect.forEach(requests, (request) => attempt(organizationId, mark, request))
      for (const request of requests) assert.equal((yield* begin(request))._tag, "Replay")
      assert.equal(yield* countMark(mark), requests.length)
      assert.equal((yield* statementOf(organizationId)).charged, requests.length * cost)
    })
  }
]

const own = (organizationId: OrganizationId, mark: string, claim: Claim) =>
  Effect.flatMap(Transactions, ({ write }) =>
    write({ claim, charge: chargeOf(organizationId, { cost }), work: Effect.as(setMark(mark), keep("done")) })
  )

/** One try of a client: it runs if it is its turn, and may be cut off anywhere. */
const attempt = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  mark: string,
  request: ReturnType<typeof freshRequest>
) {
  const begun = yield* begin(request)
  if (begun._tag === "Execute")
    yield* own(organizationId, mark, { recordId: request.recordId, fence: begun.fence })
})

const untilReplayed = Effect.fnUntraced(function* (request: ReturnType<typeof freshRequest>) {
  while ((yield* begin(request))._tag !== "Replay") yield* Effect.yieldNow
})
