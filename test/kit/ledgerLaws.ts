import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { renewalAfter } from "../../core/organization/renewal.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { Accounts } from "./accounts.ts"
import { chargeOf, newAccount, Elsewhere, freshId } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"
import { replayHistories, sums } from "./creditReplay.ts"
import type { Law } from "./Law.ts"

/** What every ledger keeps, whatever it is made of (core/port/Ledger.ts). */
export const ledgerLaws: ReadonlyArray<Law<Ledger | Organizations>> = [
  {
    says: "law 1, law 11: for any history it answers as the kernel folded over it, and reading moves nothing",
    check: replayHistories
  },
  {
    says: "law 2, law 3: of 1,000 charges at once on 100 credits exactly 100 succeed, and the ledger sums",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const charges = Array.from({ length: 1_000 }, () => chargeOf(organizationId))
      assert.equal((yield* succeeded(charges)).length, 100)
      const statement = yield* stated(organizationId)
      const summed = { granted: 100, charged: 100, refunded: 0, expired: 0, balance: 0, entries: 101 }
      assert.deepEqual(statement, summed)
    })
  },
  {
    says: "law 3: charges of all costs race over many accounts; none is overdrawn or refused what it has",
    check: Effect.gen(function* () {
      const organizations = yield* Effect.replicateEffect(newAccount({ pack: "credits" }), 12)
      const charges = Array.from({ length: 480 }, (_, index) =>
        chargeOf(at(organizations, index).organizationId, { cost: 1 + ((Math.floor(index / 12) * 3) % 8) })
      )
      const paid = new Set((yield* succeeded(charges)).map(({ requestId }) => requestId))
      for (const { organizationId } of organizations) {
        const statement = yield* stated(organizationId)
        const own = charges.filter((charge) => charge.organizationId === organizationId)
        sums(statement)
        assert.equal(statement.charged, costOf(own.filter(({ requestId }) => paid.has(requestId))))
        const refused = own.filter(({ requestId }) => !paid.has(requestId)).map(({ cost }) => cost)
        assert.ok(Math.min(...refused) > statement.balance, "a call was refused that could have been paid")
      }
    })
  },
  {
    says: "law 4: ten refunds of one charge at once give it back once",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const charge = chargeOf(organizationId, { cost: 6 })
      yield* ledger.charge(charge)
      const refund = ledger.refund({ organizationId, requestId: charge.requestId, atMs: beganMs })
      const given = yield* Effect.all(
        Array.from({ length: 10 }, () => refund),
        { concurrency: "unbounded" }
      )
      assert.equal(given.filter((back) => back).length, 1)
      const statement = yield* stated(organizationId)
      const summed = { granted: 100, charged: 6, refunded: 6, expired: 0, balance: 100, entries: 3 }
      assert.deepEqual(statement, summed)
    })
  },
  {
    says: "law 4: there is no refund without a charge, nor of one that was refused",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const refused = chargeOf(organizationId, { cost: 101 })
      assert.deepEqual(yield* ledger.charge(refused), { _tag: "Exhausted", required: 101, available: 100 })
      for (const requestId of [refused.requestId, freshId("req_")]) {
        assert.equal(yield* ledger.refund({ organizationId, requestId, atMs: beganMs }), false)
      }
      assert.equal((yield* stated(organizationId)).balance, 100)
    })
  },
  {
    says: "law 4: a request id is charged once, at once or later, even when nothing is left",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const charge = chargeOf(organizationId, { cost: 8 })
      yield* Effect.all(
        Array.from({ length: 5 }, () => ledger.charge(charge)),
        { concurrency: "unbounded" }
      )
      yield* ledger.charge(chargeOf(organizationId, { cost: 92 }))
      assert.deepEqual(yield* ledger.charge(charge), { _tag: "Charged", available: 0 })
      assert.equal((yield* stated(organizationId)).charged, 100)
    })
  },
  {
    says: "law 4: a grant id is granted once",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const gift = { organizationId, amount: 1_000, grantId: freshId("grant_"), atMs: beganMs }
      yield* Effect.all([ledger.grant(gift), ledger.grant(gift)], { concurrency: "unbounded" })
      assert.equal((yield* ledger.grant(gift))?.balance, 1_100)
    })
  },
  {
    says: "law 7: whenever its caller is interrupted, a charge that was taken reaches the release",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* newAccount({ pack: "credits" })
      for (let turns = 0; turns < 20; turns++) {
        const charge = chargeOf(organizationId)
        const giveBack = () => ledger.refund({ organizationId, requestId: charge.requestId, atMs: beganMs })
        const call = Effect.acquireUseRelease(ledger.charge(charge), () => Effect.never, giveBack)
        const fiber = yield* Effect.forkChild(call)
        for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
        assert.equal((yield* stated(organizationId)).balance, 100)
      }
    })
  },
  {
    says: "law 7: when an interrupted caller is gone its charge is settled: nothing is taken behind its back",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const fibers = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.forkChild(ledger.charge(chargeOf(organizationId)))
      )
      yield* Effect.yieldNow
      yield* Fiber.interruptAll(fibers)
      const { charged } = yield* stated(organizationId)
      const decision = yield* ledger.charge(chargeOf(organizationId))
      assert.deepEqual(decision, { _tag: "Charged", available: 99 - charged })
    })
  },
  {
    says: "contract §1 charges that arrive together on both sides of a renewal fall each into their month",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* newAccount({ pack: "build" })
      const renewalMs = renewalAfter(beganMs)
      const charges = [renewalMs - 1, renewalMs].flatMap((atMs) =>
        Array.from({ length: 30 }, () => chargeOf(organizationId, { atMs }))
      )
      yield* succeeded(charges)
      const statement = yield* ledger.statement({ organizationId, nowMs: renewalMs })
      assert.deepEqual(statement, {
        granted: 200_100,
        charged: 60,
        refunded: 0,
        expired: 99_970,
        balance: 100_070,
        entries: 64
      })
    })
  },
  {
    says: "law 8: organizations do not touch each other, and an unknown one has nothing",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const [one, other] = [yield* newAccount({ pack: "credits" }), yield* newAccount({ pack: "credits" })]
      const charge = chargeOf(one.organizationId, { cost: 8 })
      yield* ledger.charge(charge)
      const theirs = { organizationId: other.organizationId, requestId: charge.requestId, atMs: beganMs }
      assert.equal(yield* ledger.refund(theirs), false)
      assert.equal((yield* stated(other.organizationId)).balance, 100)
      const nobody = freshId("org_") as OrganizationId
      const refused = { _tag: "Exhausted", required: 1, available: 0 }
      assert.deepEqual(yield* ledger.charge(chargeOf(nobody)), refused)
      assert.equal(yield* ledger.statement({ organizationId: nobody, nowMs: beganMs }), undefined)
      assert.equal(yield* ledger.account({ organizationId: nobody, nowMs: beganMs }), undefined)
      const gift = { organizationId: nobody, amount: 1, grantId: freshId("grant_"), atMs: beganMs }
      assert.equal(yield* ledger.grant(gift), undefined)
    })
  }
]

/** What a ledger keeps when two processes share its store. */
export const sharedLedgerLaws: ReadonlyArray<Law<Accounts | Elsewhere>> = [
  {
    says: "law 5: what is answered is seen from another connection",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const elsewhere = yield* Elsewhere
      const { organizationId } = yield* newAccount({ pack: "build" })
      for (let count = 1; count <= 20; count++) {
        const charge = chargeOf(organizationId)
        yield* ledger.charge(charge)
        const seen = yield* Effect.provide(stated(organizationId), elsewhere)
        assert.equal(seen.charged, count)
      }
    })
  },
  {
    says: "law 3: two processes race for 100 credits: exactly 100 charges succeed, no two told the same rest",
    check: Effect.gen(function* () {
      const elsewhere = yield* Elsewhere
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const half = left(Array.from({ length: 500 }, () => chargeOf(organizationId)))
      const other = left(Array.from({ length: 500 }, () => chargeOf(organizationId)))
      const both = yield* Effect.all([half, Effect.provide(other, elsewhere)], { concurrency: 2 })
      const countdown = both.flat().toSorted((one, another) => one - another)
      assert.deepEqual(
        countdown,
        Array.from({ length: 100 }, (_, index) => index)
      )
      sums(yield* stated(organizationId))
    })
  },
  {
    says: "law 1: two processes charge one account that has enough: each charge is told a rest of its own",
    check: Effect.gen(function* () {
      const elsewhere = yield* Elsewhere
      const { organizationId } = yield* newAccount({ pack: "build" })
      const some = Effect.suspend(() => left(Array.from({ length: 20 }, () => chargeOf(organizationId))))
      const here = Effect.replicateEffect(some, 20)
      const told = yield* Effect.all([here, Effect.provide(here, elsewhere)], { concurrency: 2 })
      assert.equal(new Set(told.flat(2)).size, 800)
      assert.equal((yield* stated(organizationId)).balance, 100_100 - 800)
    })
  },
  {
    says: "law 4: two processes charge the same request ids and each is taken once",
    check: Effect.gen(function* () {
      const elsewhere = yield* Elsewhere
      const organizations = yield* Effect.replicateEffect(newAccount({ pack: "credits" }), 10)
      const charges = Array.from({ length: 300 }, (_, index) =>
        chargeOf(at(organizations, index).organizationId)
      )
      yield* Effect.all([succeeded(charges), Effect.provide(succeeded(charges.toReversed()), elsewhere)], {
        concurrency: 2
      })
      for (const { organizationId } of organizations) {
        assert.equal((yield* stated(organizationId)).charged, 30)
      }
    })
  }
]

/** What a ledger keeps while its store is unavailable. */
export const absentLedgerLaws: ReadonlyArray<Law<Ledger>> = [
  {
    says: "law 6: every verb fails as unreachable within a second, and answers nothing it cannot know",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const organizationId = freshId("org_") as OrganizationId
      const verbs: ReadonlyArray<Effect.Effect<unknown, { readonly fault: string }>> = [
        ...Array.from({ length: 50 }, () => ledger.charge(chargeOf(organizationId))),
        ledger.refund({ organizationId, requestId: freshId("req_"), atMs: beganMs }),
        ledger.grant({ organizationId, amount: 1, grantId: freshId("grant_"), atMs: beganMs }),
        ledger.statement({ organizationId, nowMs: beganMs })
      ]
      const faults = yield* Effect.forEach(verbs, (verb) => Effect.flip(verb), {
        concurrency: "unbounded"
      }).pipe(Effect.timeout("1 second"))
      assert.deepEqual([...new Set(faults.map(({ fault }) => fault))], ["unreachable"])
    })
  }
]

/** All at once; the charges that were taken. */
const succeeded = (charges: ReadonlyArray<Charge>) =>
  Effect.flatMap(Ledger, (ledger) =>
    Effect.map(
      Effect.forEach(charges, (charge) => ledger.charge(charge), { concurrency: "unbounded" }),
      (decisions) => charges.filter((_, index) => decisions[index]?._tag === "Charged")
    )
  )

/** All at once; what each charge that was taken left. */
const left = (charges: ReadonlyArray<Charge>) =>
  Effect.flatMap(Ledger, (ledger) =>
    Effect.map(
      Effect.forEach(charges, (charge) => ledger.charge(charge), { concurrency: "unbounded" }),
      (decisions) =>
        decisions.flatMap((decision) => (decision._tag === "Charged" ? [decision.available] : []))
    )
  )

const stated = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const statement = yield* (yield* Ledger).statement({ organizationId, nowMs: beganMs })
  return statement ?? assert.fail("the organization has no statement")
})

const costOf = (charges: ReadonlyArray<Charge>): number => charges.reduce((sum, { cost }) => sum + cost, 0)

/** One of them in turn. */
const at = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error("there are some")
  return item
}
