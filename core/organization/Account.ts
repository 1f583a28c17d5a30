import type { PackName } from "./pack.ts"

/**
 * What an organization can spend (§8.3, contract §1 "Limits and money"). Credits are whole numbers and never
 * negative; every change of an account is told by the entries that come with it.
 */
export interface Account {
  readonly pack: PackName
  /** A lower pack that begins at the next renewal; null: none chosen. */
  readonly nextPack: PackName | null
  /** Left of this month's allowance. */
  readonly allowance: number
  /** Bought, given by the operator, or the starter credits: these stand until they are spent. */
  readonly purchased: number
  /** Credits beyond the balance since the last renewal, billed at the pack's overage price. */
  readonly overageUsed: number
  /** The owner's own bound on `overageUsed`; null: none. */
  readonly overageCap: number | null
  /**
   * The 1st, 00:00 UTC, when this month's allowance ends, Unix ms. It names the month, and is cheap to
   * compare.
   */
  readonly renewsAtMs: number
}

/** Where credits come from, in the order they are spent. */
export const sources = ["allowance", "purchased", "overage"] as const
export type Source = (typeof sources)[number]

export const entryKinds = ["charge", "refund", "grant", "expire"] as const
export type EntryKind = (typeof entryKinds)[number]

/** One line of the ledger, written once and never changed. Reference, kind and source together are unique. */
export interface Entry {
  /** The request id of a charge and its refund; `grant:…`, `pack:…` or `renewal:…` for the rest. */
  readonly reference: string
  readonly kind: EntryKind
  readonly source: Source
  /** At least 1. */
  readonly amount: number
  /** `renewsAtMs` of the account it was taken from: tells a refund whether that month still runs. */
  readonly renewsAtMs: number
  readonly atMs: number
}

/**
 * An account after a move, with the entries that tell it; the same account and no entries when nothing moved.
 */
export interface Move {
  readonly account: Account
  readonly entries: ReadonlyArray<Entry>
}

/** `requests_available` and `X-Credits-Remaining` (contract §1): what is there before any overage. */
export const available = (account: Account): number => account.allowance + account.purchased
