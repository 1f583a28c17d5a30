import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Statement } from "../../core/organization/statement.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { chargeOf, newAccount } from "./accounts.ts"
import type { LedgerStep, History } from "./creditHistory.ts"
import { balances, beganMs, fold, histories } from "./creditHistory.ts"
import { renew } from "../../core/organization/renewal.ts"
import { runs } from "./runs.ts"

/** Small enough for a real store; the generators aim at edges, so that thirty histories reach them. */
const usual = 30

/** Asks a ledger what the kernel was asked, history after history, and expects the kernel's answers. */
export const replayHistories = Effect.flatMap(Effect.context<Ledger | Organizations>(), (context) =>
  Effect.tryPromise(() => {
    const agrees = (history: History) => Effect.runPromiseWith(context)(replay(history))
    return fc.assert(fc.asyncProperty(histories, agrees), { numRuns: runs(usual) })
  })
)

/** Law 2 of the ledger: the entries sum to the balance. */
export const sums = (statement: Statement | undefined): void => {
  assert.ok(statement !== undefined)
  const { granted, charged, refunded, expired, balance } = statement
  assert.equal(granted - charged + refunded - expired, balance)
}

const replay = Effect.fnUntraced(function* (history: History) {
  const ledger = yield* Ledger
  const { organizationId } = yield* newAccount({ pack: history.pack })
  const { account, asked, entries, nowMs } = fold(history)
  for (const step of asked) yield* perform(organizationId, step)
  const statement = yield* ledger.statement({ organizationId, nowMs: lastMs(asked) })
  assert.equal(statement?.entries, entries.length)
  assert.equal(statement?.balance, balances(entries).at(-1))
  sums(statement)
  assert.deepEqual(yield* ledger.account({ organizationId, nowMs }), renew(account, nowMs).account)
  assert.deepEqual(yield* ledger.statement({ organizationId, nowMs: lastMs(asked) }), statement)
})

const lastMs = (asked: ReadonlyArray<LedgerStep>): number =>
  asked.reduce((last, step) => ("nowMs" in step ? step.nowMs : last), beganMs)

/** A history numbers its calls; every history has an organization of its own. */
const ownId = (organizationId: OrganizationId, requestId: string): string => `${requestId} ${organizationId}`

const perform = Effect.fnUntraced(function* (organizationId: OrganizationId, step: LedgerStep) {
  const ledger = yield* Ledger
  const organizations = yield* Organizations
  switch (step._tag) {
    case "Charge": {
      const { cost, nowMs, expected } = step
      const requestId = ownId(organizationId, step.requestId)
      const decision = yield* ledger.charge(chargeOf(organizationId, { requestId, cost, atMs: nowMs }))
      return assert.deepEqual(decision, expected)
    }
    case "Refund": {
      const { nowMs, expected } = step
      const requestId = ownId(organizationId, step.requestId)
      return assert.equal(yield* ledger.refund({ organizationId, requestId, atMs: nowMs }), expected)
    }
    case "Grant":
      yield* ledger.grant({ organizationId, amount: step.amount, grantId: step.grantId, atMs: step.nowMs })
      return
    case "Pack":
      yield* organizations.change({ organizationId, change: step })
      return
    case "Cap":
      yield* organizations.change({ organizationId, change: { _tag: "OverageCap", cap: step.cap } })
      return
  }
})
