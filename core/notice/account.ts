import * as DateTime from "effect/DateTime"
import type { Account } from "../organization/Account.ts"
import { available } from "../organization/Account.ts"
import { packs, starterCredits } from "../organization/pack.ts"
import { renew, renewalDay } from "../organization/renewal.ts"
import type { Notice, NoticeValues } from "./Notice.ts"
import type { NoticeKind } from "./noticeRows.ts"
import { withThousands } from "./template.ts"

/** What the dearest call costs (contract §1, Limits and money): with less left, some calls are refused. */
export const dearestCallCredits = 8

/** A fifth of the starter credits, as 80 % of an allowance leaves a fifth of it. */
export const lowCredits = starterCredits / 5

/** An account, and what was ever given to it, as the ledger has it. */
export interface AccountFacts {
  readonly account: Account
  /** Credits granted to the allowance of the account's month: more than the pack's where it was raised. */
  readonly granted: number
  /** Every credit ever granted that stands until it is spent: a purchase begins a new period. */
  readonly bought: number
}

/** Every notice that the account has come to, told or not. Credits bought do not count as allowance used. */
export const reachedByAccount = (facts: AccountFacts, nowMs: number): ReadonlyArray<Notice> => {
  const { account } = renew(facts.account, nowMs)
  const { overagePriceMills, monthlyAllowance } = packs[account.pack]
  const granted = account.renewsAtMs === facts.account.renewsAtMs ? facts.granted : monthlyAllowance
  const used = granted - account.allowance + account.overageUsed
  const month = renewalDay(account.renewsAtMs)
  const values = valuesOf(account, { granted, used })
  const reached = (kind: NoticeKind, period: string, isReached: boolean): ReadonlyArray<Notice> =>
    isReached ? [{ kind, period, values }] : []
  if (overagePriceMills === null) {
    const period = `bought:${facts.bought}`
    return [
      ...reached("credits_low", period, available(account) <= lowCredits),
      ...reached("credits_empty", period, available(account) < dearestCallCredits)
    ]
  }
  const past = (percent: number): boolean => granted > 0 && used * 100 >= granted * percent
  const { overageCap, overageUsed } = account
  const capRoom = overageCap === null ? Number.POSITIVE_INFINITY : Math.max(0, overageCap - overageUsed)
  return [
    ...reached("credits_80", month, past(80)),
    ...reached("credits_100", month, past(100)),
    ...reached("overage_begun", month, overageUsed > 0),
    ...reached("credits_150", month, past(150)),
    // A cap that is raised may be reached again, and is then told again.
    ...reached("overage_cap", `${month}:${overageCap}`, available(account) + capRoom < dearestCallCredits)
  ]
}

const valuesOf = (
  account: Account,
  { granted, used }: { readonly granted: number; readonly used: number }
): NoticeValues => ({
  granted: withThousands(granted),
  used: withThousands(used),
  left: withThousands(available(account)),
  overage: withThousands(account.overageUsed),
  cap: account.overageCap === null ? "not set" : withThousands(account.overageCap),
  price: `$${((packs[account.pack].overagePriceMills ?? 0) / 1_000).toFixed(3)}`,
  renews: DateTime.formatIsoDateUtc(DateTime.makeUnsafe(account.renewsAtMs))
})
