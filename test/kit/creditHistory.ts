import * as fc from "fast-check"
import type { Account, Entry, Move } from "../../core/organization/Account.ts"
import { available } from "../../core/organization/Account.ts"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import { charge, grant, grantReference, refund } from "../../core/organization/credit.ts"
import type { PackName } from "../../core/organization/pack.ts"
import { packNames, packs } from "../../core/organization/pack.ts"
import { choosePack, openAccount } from "../../core/organization/packChoice.ts"
import { renew } from "../../core/organization/renewal.ts"

/**
 * What may happen to an account. Costs and times are aimed at the edges, where a uniform draw would rarely
 * land.
 */
export type Step =
  | { readonly _tag: "Charge"; readonly cost: number }
  /** All that can be paid, and so much more or less. */
  | { readonly _tag: "ChargeAll"; readonly beyond: number }
  | { readonly _tag: "Refund"; readonly which: number }
  | { readonly _tag: "Grant"; readonly amount: number }
  | { readonly _tag: "Pack"; readonly pack: PackName }
  | { readonly _tag: "Cap"; readonly cap: number | null }
  | { readonly _tag: "Wait"; readonly ms: number }
  /** Until the renewal, and so many milliseconds more or less. */
  | { readonly _tag: "Renewal"; readonly beyondMs: number }

export interface History {
  readonly pack: PackName
  readonly steps: ReadonlyArray<Step>
}

const edges = fc.constantFrom(-1, 0, 1)

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("Charge"), cost: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("ChargeAll"), beyond: edges }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Refund"), which: fc.nat(5) }) },
  fc.record({ _tag: fc.constant("Grant"), amount: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ _tag: fc.constant("Pack"), pack: fc.constantFrom(...packNames) }),
  fc.record({ _tag: fc.constant("Cap"), cap: fc.constantFrom(null, 0, 1, 8) }),
  fc.record({ _tag: fc.constant("Wait"), ms: fc.constantFrom(0, 1, 60_000, 40 * 86_400_000) }),
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Renewal"), beyondMs: edges }) }
)

export const histories: fc.Arbitrary<History> = fc.record({
  pack: fc.constantFrom(...packNames),
  steps: fc.array(steps, { maxLength: 30 })
})

/** A step as it is asked of a ledger, with the instant and what the kernel answers. */
export type LedgerStep =
  | {
      readonly _tag: "Charge"
      readonly requestId: string
      readonly cost: number
      readonly nowMs: number
      readonly expected: ChargeDecision
    }
  | {
      readonly _tag: "Refund"
      readonly requestId: string
      readonly nowMs: number
      readonly expected: boolean
    }
  | { readonly _tag: "Grant"; readonly grantId: string; readonly amount: number; readonly nowMs: number }
  | { readonly _tag: "Pack"; readonly pack: PackName; readonly nowMs: number }
  | { readonly _tag: "Cap"; readonly cap: number | null }

export interface FoldResult {
  readonly account: Account
  readonly entries: ReadonlyArray<Entry>
  readonly nowMs: number
  readonly asked: ReadonlyArray<LedgerStep>
}

/** When every history begins. */
export const beganMs = Date.UTC(2026, 10, 21, 11)

/** The kernel folded over a history: the oracle of every adapter. */
export const fold = (history: History): FoldResult => {
  const opened = openAccount(history.pack, beganMs)
  return history.steps.reduce(take, { ...opened, nowMs: beganMs, asked: [] })
}

/** The most a charge may cost now. */
export const payable = (account: Account): number => {
  if (packs[account.pack].overagePriceMills === null) return available(account)
  if (account.overageCap === null) return Infinity
  return available(account) + Math.max(0, account.overageCap - account.overageUsed)
}

/**
 * A cost so far beyond all that can be paid; where overage has no cap there is no edge to aim at but the
 * balance.
 */
export const aim = (account: Account, beyond: number): number =>
  Math.max(1, (Number.isFinite(payable(account)) ? payable(account) : available(account)) + beyond)

/** The balance after each entry. */
export const balances = (entries: ReadonlyArray<Entry>): ReadonlyArray<number> => {
  const signs = { grant: 1, refund: 1, charge: -1, expire: -1 } as const
  let balance = 0
  return entries.map((entry) => (balance += signs[entry.kind] * entry.amount))
}

export const accountAt = (given: Partial<Account> & Pick<Account, "pack" | "renewsAtMs">): Account => ({
  nextPack: null,
  allowance: 0,
  purchased: 0,
  overageUsed: 0,
  overageCap: null,
  ...given
})

const take = (folded: FoldResult, step: Step): FoldResult => {
  const { account, entries, nowMs, asked } = folded
  const requestId = `req_${asked.length}`
  const under = (reference: string) => entries.filter((entry) => entry.reference === reference)
  const next = (move: Move, ask: LedgerStep): FoldResult => ({
    account: move.account,
    entries: [...entries, ...move.entries],
    nowMs,
    asked: [...asked, ask]
  })
  switch (step._tag) {
    case "Charge":
    case "ChargeAll": {
      const cost = step._tag === "Charge" ? step.cost : aim(renew(account, nowMs).account, step.beyond)
      const move = charge(account, { requestId, cost, nowMs, earlier: [] })
      return next(move, { _tag: "Charge", requestId, cost, nowMs, expected: move.decision })
    }
    case "Refund": {
      const reference = `req_${Math.max(0, asked.length - 1 - step.which)}`
      const move = refund(account, { requestId: reference, nowMs, earlier: under(reference) })
      return next(move, { _tag: "Refund", requestId: reference, nowMs, expected: move.refunded })
    }
    case "Grant": {
      const gift = { grantId: requestId, amount: step.amount, nowMs }
      const earlier = under(grantReference(requestId))
      return next(grant(account, { ...gift, earlier }), { _tag: "Grant", ...gift })
    }
    case "Pack":
      return next(choosePack(account, step.pack, nowMs), { _tag: "Pack", pack: step.pack, nowMs })
    case "Cap":
      return next({ account: { ...account, overageCap: step.cap }, entries: [] }, step)
    case "Wait":
      return { ...folded, nowMs: nowMs + step.ms }
    case "Renewal":
      return { ...folded, nowMs: Math.max(nowMs, account.renewsAtMs + step.beyondMs) }
  }
}
