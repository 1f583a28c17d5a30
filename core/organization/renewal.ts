import * as DateTime from "effect/DateTime"
import type { Account, Entry, Move } from "./Account.ts"
import type { PackName } from "./pack.ts"
import { packs } from "./pack.ts"

/** A century of months renewed at one time; an account that slept longer catches up over several moves. */
export const renewalsMax = 1_200

/** The first 1st, 00:00 UTC, after the instant, Unix ms. */
export const renewalAfter = (nowMs: number): number =>
  DateTime.toEpochMillis(DateTime.add(DateTime.startOf(DateTime.makeUnsafe(nowMs), "month"), { months: 1 }))

/**
 * The account as of now. Every month that ended since the last move expires what was left of its allowance
 * and grants the next one, so that an account renewed late has exactly the entries of one renewed each month.
 */
export const renew = (account: Account, nowMs: number): Move => {
  if (nowMs < account.renewsAtMs) return { account, entries: [] }
  const entries: Array<Entry> = []
  let current = account
  for (let month = 0; month < renewalsMax && current.renewsAtMs <= nowMs; month++) {
    const next = begin(current)
    entries.push(...renewalEntries(current, next))
    current = next
  }
  return { account: current, entries }
}

/**
 * The packs as of now: a lower one that was chosen begins with the renewal, whether or not anything moved
 * since.
 */
export const packInForce = (
  account: Pick<Account, "pack" | "nextPack" | "renewsAtMs">,
  nowMs: number
): { readonly pack: PackName; readonly nextPack: PackName | null } =>
  nowMs < account.renewsAtMs
    ? { pack: account.pack, nextPack: account.nextPack }
    : { pack: account.nextPack ?? account.pack, nextPack: null }

/** When a pack that was chosen now takes effect, Unix ms: at once, or with the renewal. */
export const takesEffectMs = ({ nextPack }: { readonly nextPack: PackName | null }, nowMs: number): number =>
  nextPack === null ? nowMs : renewalAfter(nowMs)

/** The day of a renewal, `YYYY-MM-DD`, as references write it. */
export const renewalDay = (renewsAtMs: number): string =>
  DateTime.formatIsoDateUtc(DateTime.makeUnsafe(renewsAtMs))

const begin = (account: Account): Account => {
  const begun = packInForce(account, account.renewsAtMs)
  return {
    ...account,
    ...begun,
    allowance: packs[begun.pack].monthlyAllowance,
    overageUsed: 0,
    renewsAtMs: renewalAfter(account.renewsAtMs)
  }
}

const renewalEntries = (ended: Account, begun: Account): ReadonlyArray<Entry> => {
  const atMs = ended.renewsAtMs
  const told = { reference: `renewal:${renewalDay(atMs)}`, source: "allowance", atMs } as const
  const expired: Entry = { ...told, kind: "expire", amount: ended.allowance, renewsAtMs: ended.renewsAtMs }
  const granted: Entry = { ...told, kind: "grant", amount: begun.allowance, renewsAtMs: begun.renewsAtMs }
  return [expired, granted].filter((entry) => entry.amount > 0)
}
