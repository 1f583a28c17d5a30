import type { Account, Entry } from "./Account.ts"
import { available } from "./Account.ts"
import { renew } from "./renewal.ts"

/** The ledger summed (contract §4, `ledger ORG`): granted - charged + refunded - expired = balance. */
export interface Statement {
  readonly granted: number
  readonly charged: number
  readonly refunded: number
  readonly expired: number
  readonly balance: number
  readonly entries: number
}

/** The entries summed by kind, the account left aside. */
export type Tally = Omit<Statement, "balance">

export const tally = (entries: ReadonlyArray<Entry>): Tally => ({
  granted: sumOf(entries, "grant"),
  charged: sumOf(entries, "charge"),
  refunded: sumOf(entries, "refund"),
  expired: sumOf(entries, "expire"),
  entries: entries.length
})

/**
 * The statement as of now. A renewal that is due is counted but not written, so that reading moves nothing.
 * The balance is the account's own: that it equals the sum of the entries is a law, not a definition.
 */
export const statementOf = (input: {
  readonly account: Account
  readonly written: Tally
  readonly nowMs: number
}): Statement => {
  const due = renew(input.account, input.nowMs)
  const unwritten = tally(due.entries)
  return {
    granted: input.written.granted + unwritten.granted,
    charged: input.written.charged,
    refunded: input.written.refunded,
    expired: input.written.expired + unwritten.expired,
    balance: available(due.account),
    entries: input.written.entries + unwritten.entries
  }
}

const sumOf = (entries: ReadonlyArray<Entry>, kind: Entry["kind"]): number =>
  entries.reduce((sum, entry) => (entry.kind === kind ? sum + entry.amount : sum), 0)
