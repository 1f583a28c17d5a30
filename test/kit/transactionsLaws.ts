import assert from "node:assert/strict"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { leaseMs } from "../../core/idempotency/record.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Idempotency } from "../../core/port/Idempotency.ts"
import type { Claim } from "../../core/port/Idempotency.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { WorkResult } from "../../core/port/Transactions.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { chargeOf, newAccount, freshId } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"
import { begin, bytes, executeClaim, freshRequest, hash, keep } from "./idempotencyLaws.ts"
import type { Law } from "./Law.ts"
import { Marks } from "./marks.ts"
import type { Writes } from "./writes.ts"

/** A cost that no other number here is. */
export const cost = 6

/** What every store of transactions keeps (core/port/Transactions.ts). */
export const transactionsLaws: ReadonlyArray<Law<Writes>> = [
  {
    says: "law 1: what is kept is there: its work, its charge and its answer",
    check: Effect.gen(function* () {
      const { request, organizationId, mark, write } = yield* subject
      const claim = yield* executeClaim(request)
      const written = yield* write(claim, Effect.as(setMark(mark), keep("done")))
      assert.deepEqual(written, { _tag: "Committed", value: "done", available: 100 - cost })
      yield* commitsLeft({ organizationId, mark, commits: 1 })
      assert.deepEqual(yield* begin(request), { _tag: "Replay", answer: bytes("an answer") })
    })
  },
  ...(
    [
      ["asks to be undone", Effect.succeed({ _tag: "Undo", value: "not done" } as const)],
      ["fails", Effect.fail({ _tag: "Refused", fault: "refused" } as const)],
      ["dies", Effect.die("a bug")],
      ["is interrupted", Effect.interrupt]
    ] as const
  ).map(
    ([how, end]): Law<Writes> => ({
      says: `law 1: work that ${how} leaves nothing behind, and its turn as it was`,
      check: Effect.gen(function* () {
        const { request, organizationId, mark, write } = yield* subject
        const claim = yield* executeClaim(request)
        yield* Effect.exit(write(claim, Effect.andThen(setMark(mark), end)))
        yield* commitsLeft({ organizationId, mark, commits: 0 })
        assert.equal((yield* begin(request))._tag, "InProgress")
        assert.equal((yield* write(claim, Effect.as(setMark(mark), keep("done"))))._tag, "Committed")
        yield* commitsLeft({ organizationId, mark, commits: 1 })
      })
    })
  ),
  {
    says: "law 1: a caller that is interrupted in the middle of its work leaves nothing behind",
    check: Effect.gen(function* () {
      const { request, organizationId, mark, write } = yield* subject
      const claim = yield* executeClaim(request)
      const begun = yield* Deferred.make<void>()
      const work = setMark(mark).pipe(
        Effect.andThen(Deferred.succeed(begun, undefined)),
        Effect.andThen(Effect.never),
        Effect.as(keep("done"))
      )
      const fiber = yield* Effect.forkChild(write(claim, work))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      yield* commitsLeft({ organizationId, mark, commits: 0 })
    })
  },
  {
    says: "law 2: a turn that has passed commits nothing, as `precheck` reports",
    check: Effect.gen(function* () {
      const { request, organizationId, mark, write } = yield* subject
      const [first, second] = yield* twoOwners(request)
      const { precheck } = yield* Transactions
      assert.deepEqual(yield* write(first, Effect.as(setMark(mark), keep("done"))), { _tag: "Stale" })
      assert.deepEqual(yield* precheck({ claim: first, charge: undefined }), { _tag: "Stale" })
      assert.equal(yield* precheck({ claim: second, charge: undefined }), undefined)
      assert.equal((yield* write(second, Effect.as(setMark(mark), keep("done"))))._tag, "Committed")
      assert.deepEqual(yield* write(second, Effect.as(setMark(mark), keep("again"))), { _tag: "Stale" })
      assert.deepEqual(yield* precheck({ claim: second, charge: undefined }), { _tag: "Stale" })
      yield* commitsLeft({ organizationId, mark, commits: 1 })
    })
  },
  {
    says: "law 2: a turn that passes while its owner works commits nothing",
    check: Effect.gen(function* () {
      const { request, organizationId, mark, write } = yield* subject
      const first = yield* executeClaim(request)
      const takeover = Effect.andThen(TestClock.adjust(leaseMs), executeClaim(request))
      const written = yield* write(first, Effect.as(Effect.andThen(setMark(mark), takeover), keep("done")))
      assert.deepEqual(written, { _tag: "Stale" })
      yield* commitsLeft({ organizationId, mark, commits: 0 })
    })
  },
  {
    says: "law 2: a turn that its owner gave back or renewed before is what the record says",
    check: Effect.gen(function* () {
      const { request, organizationId, mark, write } = yield* subject
      const { release, renew } = yield* Idempotency
      const given = yield* executeClaim(request)
      yield* release(given)
      assert.deepEqual(yield* write(given, Effect.as(setMark(mark), keep("done"))), { _tag: "Stale" })
      const held = yield* executeClaim(request)
      yield* TestClock.adjust(leaseMs)
      assert.equal(yield* renew(held), "settled")
      assert.equal((yield* write(held, Effect.as(setMark(mark), keep("done"))))._tag, "Committed")
      yield* commitsLeft({ organizationId, mark, commits: 1 })
    })
  },
  {
    says: "law 3: what the account cannot bear changes nothing, as `precheck` reports",
    check: Effect.gen(function* () {
      const { request, organizationId, mark } = yield* subject
      const { write, precheck } = yield* Transactions
      const claim = yield* executeClaim(request)
      const nobody = freshId("org_") as OrganizationId
      const told = [
        [organizationId, 101, 100],
        [nobody, cost, 0]
      ] as const
      for (const [whose, required, available] of told) {
        const charge = chargeOf(whose, { cost: required })
        const exhausted = { _tag: "Exhausted", required, available }
        assert.deepEqual(yield* precheck({ claim, charge }), exhausted)
        assert.deepEqual(
          yield* write({ claim, charge, work: Effect.as(setMark(mark), keep("done")) }),
          exhausted
        )
      }
      assert.equal(yield* precheck({ claim, charge: chargeOf(organizationId, { cost: 100 }) }), undefined)
      yield* commitsLeft({ organizationId, mark, commits: 0 })
    })
  },
  {
    says: "law 3: what the account can no longer bear when the work is done changes nothing",
    check: Effect.gen(function* () {
      const { request, organizationId, mark, write } = yield* subject
      const claim = yield* executeClaim(request)
      const { charge } = yield* Ledger
      const spending = Effect.flatMap(
        Effect.forkDetach(charge(chargeOf(organizationId, { cost: 95 }))),
        Fiber.join
      )
      const written = yield* write(claim, Effect.as(Effect.andThen(setMark(mark), spending), keep("done")))
      assert.deepEqual(written, { _tag: "Exhausted", required: cost, available: 5 })
      assert.equal(yield* countMark(mark), 0)
      assert.equal((yield* statementOf(organizationId)).charged, 95)
    })
  },
  {
    says: "law 3: a write that the quick way of charging leaves to the kernel is charged, over two sources",
    check: Effect.gen(function* () {
      const { write } = yield* Transactions
      const { organizationId } = yield* newAccount({ pack: "build" })
      const { charge } = yield* Ledger
      yield* charge(chargeOf(organizationId, { cost: 99_998 }))
      const written = yield* write({
        claim: undefined,
        charge: chargeOf(organizationId, { cost }),
        work: done
      })
      assert.deepEqual(written, { _tag: "Committed", value: "done", available: 96 })
      assert.equal((yield* statementOf(organizationId)).entries, 5)
    })
  },
  {
    says: "law 6: a failure of the work passes through untouched",
    check: Effect.gen(function* () {
      const { request, write } = yield* subject
      const failure = { _tag: "PoliciesUnavailable", fault: "timeout" } as const
      const claim = yield* executeClaim(request)
      assert.deepEqual(yield* Effect.flip(write(claim, Effect.fail(failure))), failure)
    })
  },
  {
    says: "a write without a key and without a cost is a transaction and nothing else",
    check: Effect.gen(function* () {
      const { write } = yield* Transactions
      const mark = freshId("mark_")
      const work = Effect.as(setMark(mark), keep("done"))
      const written = yield* write({ claim: undefined, charge: undefined, work })
      assert.deepEqual(written, { _tag: "Committed", value: "done", available: undefined })
      assert.equal(yield* countMark(mark), 1)
    })
  }
]

/** What they keep while their store is unavailable. */
export const absentTransactionsLaws: ReadonlyArray<Law<Transactions>> = [
  {
    says: "law 5: a write fails as unreachable, and its work does not begin",
    check: Effect.gen(function* () {
      const { write } = yield* Transactions
      const failure = yield* Effect.flip(
        write({
          claim: { recordId: hash("nobody"), fence: 1 },
          charge: chargeOf(freshId("org_") as OrganizationId),
          work: Effect.die("worked")
        })
      )
      assert.equal(failure.fault, "unreachable")
    })
  }
]

const done = Effect.succeed(keep("done"))

/** An organization of its own with 100 credits, a key, a mark, and its writes at a cost. */
export const subject = Effect.gen(function* () {
  const { organizationId } = yield* newAccount({ pack: "credits" })
  const { write } = yield* Transactions
  return {
    organizationId,
    request: freshRequest(),
    mark: freshId("mark_"),
    write: <Value, E, R>(claim: Claim, work: Effect.Effect<WorkResult<Value>, E, R>) =>
      write({ claim, charge: chargeOf(organizationId, { cost }), work })
  }
})

const twoOwners = Effect.fnUntraced(function* (request: ReturnType<typeof freshRequest>) {
  const first = yield* executeClaim(request)
  yield* TestClock.adjust(leaseMs)
  return [first, yield* executeClaim(request)] as const
})

export const setMark = (mark: string) => Effect.flatMap(Marks, (marks) => marks.set(mark))

export const countMark = (mark: string) => Effect.flatMap(Marks, (marks) => marks.count(mark))

export const statementOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const statement = yield* (yield* Ledger).statement({ organizationId, nowMs: beganMs })
  return statement ?? assert.fail("the organization has no statement")
})

/** What so many commits of one organization's writes leave. */
export const commitsLeft = Effect.fnUntraced(function* (seen: {
  readonly organizationId: OrganizationId
  readonly mark: string
  readonly commits: number
}) {
  assert.equal(yield* countMark(seen.mark), seen.commits)
  assert.equal((yield* statementOf(seen.organizationId)).charged, seen.commits * cost)
})
