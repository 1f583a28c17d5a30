import type { Account, Entry, Move } from "./Account.ts"
import type { PackName } from "./pack.ts"
import { packNames, packs, starterCredits } from "./pack.ts"
import { renew, renewalAfter, renewalDay } from "./renewal.ts"

/**
 * The account of a new organization: the starter credits (§1) and its pack's allowance for the running month.
 */
export const openAccount = (pack: PackName, nowMs: number): Move => {
  const account: Account = {
    pack,
    nextPack: null,
    allowance: packs[pack].monthlyAllowance,
    purchased: starterCredits,
    overageUsed: 0,
    overageCap: null,
    renewsAtMs: renewalAfter(nowMs)
  }
  const starter: Entry = {
    reference: "grant:starter",
    kind: "grant",
    source: "purchased",
    amount: starterCredits,
    renewsAtMs: account.renewsAtMs,
    atMs: nowMs
  }
  return { account, entries: [starter, ...allowanceGrant(account, nowMs)] }
}

/**
 * A higher pack applies at once and its allowance for the running month is added to what is left of the old
 * one, which was paid for until the 1st. A lower pack waits for the renewal. Choosing the pack in force calls
 * a waiting one off. No way down and up again grants twice: the way down passes a renewal.
 */
export const choosePack = (account: Account, pack: PackName, nowMs: number): Move => {
  const renewed = renew(account, nowMs)
  const held = rank(renewed.account.pack)
  if (rank(pack) <= held) {
    return { ...renewed, account: { ...renewed.account, nextPack: rank(pack) === held ? null : pack } }
  }
  const higher = {
    ...renewed.account,
    pack,
    nextPack: null,
    allowance: renewed.account.allowance + packs[pack].monthlyAllowance
  }
  return { account: higher, entries: [...renewed.entries, ...allowanceGrant(higher, nowMs)] }
}

const rank = (pack: PackName): number => packNames.indexOf(pack)

const allowanceGrant = (account: Account, nowMs: number): ReadonlyArray<Entry> => {
  const entry: Entry = {
    reference: `pack:${account.pack}:${renewalDay(account.renewsAtMs)}`,
    kind: "grant",
    source: "allowance",
    amount: packs[account.pack].monthlyAllowance,
    renewsAtMs: account.renewsAtMs,
    atMs: nowMs
  }
  return entry.amount > 0 ? [entry] : []
}
