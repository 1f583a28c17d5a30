import type { Account, Entry, Move, Source } from "./Account.ts"
import { available, sources } from "./Account.ts"
import { packs } from "./pack.ts"
import { renew } from "./renewal.ts"

/** What a charge came to (§8.3). */
export type ChargeDecision =
  | { readonly _tag: "Charged" /** allowance + purchased + starter left */; readonly available: number }
  | { readonly _tag: "Exhausted"; readonly required: number; readonly available: number }

export interface ChargeMove extends Move {
  readonly decision: ChargeDecision
}

/** A request as the ledger knows it: its id, the instant, and the entries already written under that id. */
export interface Request {
  readonly requestId: string
  readonly nowMs: number
  readonly earlier: ReadonlyArray<Entry>
}

/**
 * Takes the whole cost (1..8) or nothing: this month's allowance first, then purchased and starter credits,
 * then overage as far as the pack and the owner's cap allow. Overage is granted together with its charge, so
 * that the entries alone sum to the balance. A request id is charged once: charged again, it takes nothing
 * more.
 */
export const charge = (account: Account, request: Request & { readonly cost: number }): ChargeMove => {
  const renewed = renew(account, request.nowMs)
  if (request.earlier.some((entry) => entry.kind === "charge")) {
    return { ...renewed, decision: charged(renewed.account) }
  }
  const spent = spend(renewed.account, request.cost)
  if (spent === undefined) {
    return {
      ...renewed,
      decision: { _tag: "Exhausted", required: request.cost, available: available(renewed.account) }
    }
  }
  const paid = taken(renewed.account, spent)
  const written = write(request, paid)
  const entries = [...written("grant", { ...nothing, overage: spent.overage }), ...written("charge", spent)]
  return { account: paid, entries: [...renewed.entries, ...entries], decision: charged(paid) }
}

/** The credits were given back, or there was nothing to give back: no charge, or a refund before. */
export interface RefundMove extends Move {
  readonly refunded: boolean
}

/**
 * Gives a charge back to where it was taken from, once. What came from the allowance of a month that has
 * ended expires in the same move: it would have expired unspent had the call never been made, and reviving it
 * would let a failed call carry credits over the renewal. Overage is unbilled by expiring its grant; the cap
 * gets it back only within its own month, since the counter of another month never held it.
 */
export const refund = (account: Account, request: Request): RefundMove => {
  const charges = request.earlier.filter((entry) => entry.kind === "charge")
  const renewed = renew(account, request.nowMs)
  if (charges.length === 0 || request.earlier.some((entry) => entry.kind === "refund")) {
    return { ...renewed, refunded: false }
  }
  const ended = charges.some((entry) => entry.renewsAtMs !== renewed.account.renewsAtMs)
  const parts = partsOf(charges)
  const expired = { ...nothing, overage: parts.overage, allowance: ended ? parts.allowance : 0 }
  const back: Account = {
    ...renewed.account,
    allowance: renewed.account.allowance + parts.allowance - expired.allowance,
    purchased: renewed.account.purchased + parts.purchased,
    overageUsed: renewed.account.overageUsed - (ended ? 0 : parts.overage)
  }
  const written = write(request, back)
  const entries = [...written("refund", parts), ...written("expire", expired)]
  return { account: back, entries: [...renewed.entries, ...entries], refunded: true }
}

/**
 * Adds credits that stand until they are spent, once per grant id; `earlier` are the entries of
 * `grantReference`.
 */
export const grant = (
  account: Account,
  gift: Omit<Request, "requestId"> & { readonly grantId: string; readonly amount: number }
): Move => {
  const renewed = renew(account, gift.nowMs)
  if (gift.earlier.length > 0) return renewed
  const richer = { ...renewed.account, purchased: renewed.account.purchased + gift.amount }
  const written = write({ requestId: grantReference(gift.grantId), nowMs: gift.nowMs }, richer)
  const entries = written("grant", { ...nothing, purchased: gift.amount })
  return { account: richer, entries: [...renewed.entries, ...entries] }
}

/** The reference a grant is written under, apart from those of requests. */
export const grantReference = (grantId: string): string => `grant:${grantId}`

/** How much of a cost each source bears. */
type Parts = Readonly<Record<Source, number>>

const nothing: Parts = { allowance: 0, purchased: 0, overage: 0 }

const spend = (account: Account, cost: number): Parts | undefined => {
  const allowance = Math.min(cost, account.allowance)
  const purchased = Math.min(cost - allowance, account.purchased)
  const overage = cost - allowance - purchased
  return overage <= overageRoom(account) ? { allowance, purchased, overage } : undefined
}

const overageRoom = (account: Account): number => {
  if (packs[account.pack].overagePriceMills === null) return 0
  if (account.overageCap === null) return Number.MAX_SAFE_INTEGER
  return Math.max(0, account.overageCap - account.overageUsed)
}

const taken = (account: Account, parts: Parts): Account => ({
  ...account,
  allowance: account.allowance - parts.allowance,
  purchased: account.purchased - parts.purchased,
  overageUsed: account.overageUsed + parts.overage
})

const charged = (account: Account): ChargeDecision => ({ _tag: "Charged", available: available(account) })

const partsOf = (entries: ReadonlyArray<Entry>): Parts =>
  entries.reduce((parts, { source, amount }) => ({ ...parts, [source]: parts[source] + amount }), nothing)

const write =
  (request: Pick<Request, "requestId" | "nowMs">, account: Account) =>
  (kind: Entry["kind"], parts: Parts): ReadonlyArray<Entry> =>
    sources
      .filter((source) => parts[source] > 0)
      .map((source) => ({
        reference: request.requestId,
        kind,
        source,
        amount: parts[source],
        renewsAtMs: account.renewsAtMs,
        atMs: request.nowMs
      }))
