import assert from "node:assert/strict"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { Ledger, silentSweeps } from "../../core/port/Ledger.ts"
import type { Accounts } from "./accounts.ts"
import { chargeOf, newAccount, Elsewhere } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"
import { sums } from "./creditReplay.ts"
import type { Law } from "./Law.ts"

/** A process of its own over the store, that can end as by kill -9: it says nothing more to anybody. */
export interface KillableProcess {
  readonly ledger: Ledger["Service"]
  readonly die: Effect.Effect<void>
}

export class DoomedProcess extends Context.Service<
  DoomedProcess,
  { readonly start: Effect.Effect<KillableProcess, never, Scope.Scope> }
>()("test/DoomedProcess") {}

/** Law 9 of the ledger: charges whose call never answered (core/port/Ledger.ts). */
export const unansweredLaws: ReadonlyArray<Law<Accounts | Elsewhere | DoomedProcess>> = [
  {
    says: "law 9: what a process left open when it went is given back by so many sweeps of another, once",
    check: Effect.scoped(
      Effect.gen(function* () {
        const { ledger: theirs, die } = yield* (yield* DoomedProcess).start
        const ledger = yield* Ledger
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const charges = [3, 8, 1].map((cost) => chargeOf(organizationId, { cost }))
        yield* all(theirs, charges)
        yield* die
        assert.deepEqual(yield* sweeps(ledger, silentSweeps - 1), repeated(0, silentSweeps - 1))
        assert.equal((yield* stated(organizationId)).refunded, 0)
        assert.equal(yield* ledger.sweep, 3)
        assert.deepEqual(yield* sweeps(ledger, silentSweeps), repeated(0, silentSweeps))
        const statement = yield* stated(organizationId)
        sums(statement)
        assert.deepEqual([statement.charged, statement.refunded, statement.balance], [12, 12, 100])
      })
    )
  },
  {
    says: "law 9: a call that was answered or refunded before its process went is left alone",
    check: Effect.scoped(
      Effect.gen(function* () {
        const { ledger: theirs, die } = yield* (yield* DoomedProcess).start
        const ledger = yield* Ledger
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const [answered, missing, failed, left] = [
          chargeOf(organizationId, { cost: 1 }),
          chargeOf(organizationId, { cost: 2 }),
          chargeOf(organizationId, { cost: 4 }),
          chargeOf(organizationId, { cost: 8 })
        ]
        yield* all(theirs, [answered, missing, failed])
        yield* theirs.ended({ ...answered, status: 200 })
        yield* theirs.ended({ ...missing, status: 404 })
        yield* theirs.refund(failed)
        yield* theirs.ended({ ...failed, status: 500 })
        yield* theirs.charge(left)
        yield* die
        yield* sweeps(ledger, 2 * silentSweeps)
        const { charged, refunded } = yield* stated(organizationId)
        assert.deepEqual([charged, refunded], [15, 12])
      })
    )
  },
  {
    says: "law 9: two processes that sweep at once give everything back once",
    check: Effect.scoped(
      Effect.gen(function* () {
        const elsewhere = Context.get(yield* Elsewhere, Ledger)
        const ledger = yield* Ledger
        const organizations = yield* Effect.replicateEffect(newAccount({ pack: "credits" }), 5)
        for (let round = 0; round < 5; round++) {
          const { ledger: theirs, die } = yield* (yield* DoomedProcess).start
          const left = organizations.flatMap(({ organizationId }) =>
            Array.from({ length: 10 }, () => chargeOf(organizationId))
          )
          yield* all(theirs, left)
          yield* die
          const both = [ledger, elsewhere].map((one) => sweeps(one, silentSweeps))
          const given = yield* Effect.all(both, { concurrency: 2 })
          assert.equal(
            given.flat().reduce((sum, some) => sum + some, 0),
            50
          )
        }
        for (const { organizationId } of organizations) {
          const { charged, refunded, balance } = yield* stated(organizationId)
          assert.deepEqual([charged, refunded, balance], [50, 50, 100])
        }
      })
    )
  },
  {
    says: "law 9: a call that still runs in a process that is heard of is left alone, however long it runs",
    check: Effect.scoped(
      Effect.gen(function* () {
        const { ledger: theirs, die } = yield* (yield* DoomedProcess).start
        const ledger = yield* Ledger
        const { organizationId } = yield* newAccount({ pack: "credits" })
        yield* theirs.charge(chargeOf(organizationId, { cost: 8 }))
        for (let sign = 0; sign < 3; sign++) {
          yield* sweeps(ledger, silentSweeps - 1)
          const sign = chargeOf(organizationId)
          yield* theirs.charge(sign)
          yield* theirs.ended({ ...sign, status: 200 })
        }
        assert.equal((yield* stated(organizationId)).refunded, 0)
        yield* die
        yield* sweeps(ledger, silentSweeps)
        assert.ok((yield* stated(organizationId)).refunded >= 8)
      })
    )
  },
  {
    says: "law 9: a process that was given up and lives is given back nothing twice, and is heard again",
    check: Effect.scoped(
      Effect.gen(function* () {
        const { ledger: theirs, die } = yield* (yield* DoomedProcess).start
        const ledger = yield* Ledger
        const { organizationId } = yield* newAccount({ pack: "credits" })
        const slow = chargeOf(organizationId, { cost: 8 })
        yield* theirs.charge(slow)
        yield* sweeps(ledger, silentSweeps)
        assert.equal(yield* theirs.refund(slow), false)
        yield* theirs.charge(chargeOf(organizationId, { cost: 5 }))
        yield* die
        yield* sweeps(ledger, silentSweeps)
        const { charged, refunded, balance } = yield* stated(organizationId)
        assert.deepEqual([charged, refunded, balance], [13, 13, 100])
      })
    )
  },
  {
    says: "law 9: a process does not give its own calls up, however often it sweeps",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const slow = chargeOf(organizationId, { cost: 8 })
      yield* ledger.charge(slow)
      yield* sweeps(ledger, 2 * silentSweeps)
      assert.equal((yield* stated(organizationId)).refunded, 0)
      yield* ledger.ended({ ...slow, status: 200 })
    })
  }
]

/** So many sweeps, one after the other, and what each gave back. */
export const sweeps = (ledger: Ledger["Service"], times: number) =>
  Effect.forEach(Array.from({ length: times }), () => ledger.sweep)

const all = (ledger: Ledger["Service"], charges: ReadonlyArray<Charge>) =>
  Effect.forEach(charges, (charge) => ledger.charge(charge), { concurrency: "unbounded" })

const repeated = (value: number, times: number): ReadonlyArray<number> =>
  Array.from({ length: times }, () => value)

const stated = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const statement = yield* (yield* Ledger).statement({ organizationId, nowMs: beganMs })
  return statement ?? assert.fail("the organization has no statement")
})
