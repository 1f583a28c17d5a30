import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Account, Entry } from "../../core/organization/Account.ts"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import { charge as chargeAccount } from "../../core/organization/credit.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import type { MoveReference, MoveRows } from "./accounts.ts"
import { earlierEntries, lockAccounts, writeMoves } from "./accounts.ts"
import { atomically } from "./Database.ts"
import type { Listing } from "./openCalls.ts"
import { writeListing } from "./sessionRow.ts"

/**
 * Charges a batch by the kernel itself, in one transaction: lock, read what was written under these request
 * ids, fold in the order of arrival, write. It may be run again after any failure, the lost COMMIT included,
 * since a request id that was charged answers as charged. One that comes twice in a batch is refused by the
 * entries' key, and the batch is then run one by one.
 *
 * `listing`: the calls that are open, where their charges commit here for the first time (decision 0012).
 */
export const chargeSlow = (sql: SqlClient, charges: ReadonlyArray<Charge>, listing?: Listing) =>
  atomically(
    Effect.gen(function* () {
      const ids = [...new Set(charges.map((charge) => charge.organizationId))]
      const accounts = yield* lockAccounts(sql, ids)
      const earlier = yield* earlierEntries(sql, charges.map(askedBy))
      const { decisions, writing } = fold(charges, accounts, earlier)
      if (writing.accounts.size > 0) yield* writeMoves(sql, writing)
      if (listing !== undefined) yield* writeListing(sql, listing)
      return decisions
    })
  )

/** What a charge asks of the ledger before it is written. */
export const askedBy = (charge: Charge): MoveReference => ({
  organizationId: charge.organizationId,
  reference: charge.requestId
})

const fold = (
  charges: ReadonlyArray<Charge>,
  held: ReadonlyMap<OrganizationId, Account>,
  earlier: (asked: MoveReference) => ReadonlyArray<Entry>
): { readonly decisions: ReadonlyArray<ChargeDecision>; readonly writing: MoveRows } => {
  const accounts = new Map<OrganizationId, Account>()
  const entries: Array<MoveRows["entries"][number]> = []
  const usage: Array<MoveRows["usage"][number]> = []
  const decisions = charges.map((charge): ChargeDecision => {
    const { organizationId, requestId, cost, atMs } = charge
    const account = accounts.get(organizationId) ?? held.get(organizationId)
    if (account === undefined) return { _tag: "Exhausted", required: cost, available: 0 }
    const before = earlier(askedBy(charge))
    const move = chargeAccount(account, { requestId, cost, nowMs: atMs, earlier: before })
    if (move.account !== account) accounts.set(organizationId, move.account)
    const parts = move.entries.filter(({ kind }) => kind === "charge")
    const paid = parts.length === 1 ? (parts[0] ?? null) : null
    const rows = move.entries.filter((entry) => entry !== paid)
    entries.push(...rows.map((entry) => ({ ...entry, organizationId })))
    if (parts.length > 0) usage.push({ charge, paid })
    return move.decision
  })
  return { decisions, writing: { accounts, entries, usage } }
}
