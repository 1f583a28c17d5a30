import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Account, Entry } from "../../core/organization/Account.ts"
import { available } from "../../core/organization/Account.ts"
import { charge, grant, refund } from "../../core/organization/credit.ts"
import { choosePack, openAccount } from "../../core/organization/packChoice.ts"
import { packInForce, renew, renewalAfter } from "../../core/organization/renewal.ts"
import { statementOf, tally } from "../../core/organization/statement.ts"
import { accountAt, aim, balances, fold, histories, payable } from "../kit/creditHistory.ts"

const november = Date.UTC(2026, 10, 21, 11)
const december = Date.UTC(2026, 11, 1)
const january = Date.UTC(2027, 0, 1)
const scale: Account = accountAt({ pack: "scale", allowance: 10, purchased: 5, renewsAtMs: december })

const pay = (account: Account, cost: number, nowMs = november) =>
  charge(account, { requestId: "req_1", cost, nowMs, earlier: [] })

describe("credits, laws", () => {
  it("§8.3 for any history the entries sum to the balance, never negative on the way", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { account, entries } = fold(history)
        expect(available(account)).toBe(balances(entries).at(-1))
        expect(Math.min(...balances(entries))).toBeGreaterThanOrEqual(0)
        expect(Math.min(account.allowance, account.purchased, account.overageUsed)).toBeGreaterThanOrEqual(0)
        expect(entries.every((entry) => entry.amount > 0)).toBe(true)
      })
    )
  })

  it("§8.3 a call is refused exactly when balance and overage together are less than its cost", () => {
    fc.assert(
      fc.property(histories, fc.constantFrom(-1, 0, 1), (history, beyond) => {
        const { account, nowMs } = fold(history)
        const current = renew(account, nowMs).account
        const cost = aim(current, beyond)
        const { decision } = charge(account, { requestId: "req_last", cost, nowMs, earlier: [] })
        expect(decision._tag).toBe(cost <= payable(current) ? "Charged" : "Exhausted")
      })
    )
  })

  it("renewed late or each month, an account has the same entries", () => {
    const someWaits = fc.array(fc.nat(400 * 86_400_000), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(histories, someWaits, (history, waits) => {
        const { account, nowMs } = fold(history)
        const times = waits.map((wait) => nowMs + wait).sort((one, other) => one - other)
        const last = times.at(-1) ?? nowMs
        const often = times.reduce(
          (move, time) => {
            const next = renew(move.account, time)
            return { account: next.account, entries: [...move.entries, ...next.entries] }
          },
          { account, entries: [] as Entry[] }
        )
        expect(often).toEqual(renew(account, last))
      })
    )
  })

  it("a charge given back within its month leaves the account as it was", () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 8 }), (history, cost) => {
        const { account, nowMs } = fold(history)
        const before = renew(account, nowMs).account
        const paid = charge(before, { requestId: "req_last", cost, nowMs, earlier: [] })
        const back = refund(paid.account, { requestId: "req_last", nowMs, earlier: paid.entries })
        expect(back.refunded).toBe(paid.decision._tag === "Charged")
        expect(back.account).toEqual(before)
      })
    )
  })

  it("a request is charged once: charged again under its id, it takes nothing more", () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 8 }), (history, cost) => {
        const { account, nowMs } = fold(history)
        const paid = charge(account, { requestId: "req_last", cost, nowMs, earlier: [] })
        fc.pre(paid.decision._tag === "Charged")
        const again = charge(paid.account, { requestId: "req_last", cost, nowMs, earlier: paid.entries })
        expect(again).toEqual({ account: paid.account, entries: [], decision: paid.decision })
      })
    )
  })

  it("a refund happens once, and never without a charge", () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 8 }), (history, cost) => {
        const { account, nowMs } = fold(history)
        const paid = charge(account, { requestId: "req_last", cost, nowMs, earlier: [] })
        const back = refund(paid.account, { requestId: "req_last", nowMs, earlier: paid.entries })
        const earlier = [...paid.entries, ...back.entries]
        const again = refund(back.account, { requestId: "req_last", nowMs, earlier })
        expect(again).toEqual({ account: back.account, entries: [], refunded: false })
        expect(refund(account, { requestId: "req_last", nowMs, earlier: [] }).refunded).toBe(false)
      })
    )
  })

  it("reading a statement counts a renewal that is due without moving anything", () => {
    fc.assert(
      fc.property(histories, fc.nat(100 * 86_400_000), (history, wait) => {
        const { account, entries, nowMs } = fold(history)
        const late = statementOf({ account, written: tally(entries), nowMs: nowMs + wait })
        const renewed = renew(account, nowMs + wait)
        const early = tally([...entries, ...renewed.entries])
        expect(late).toEqual({ ...early, balance: available(renewed.account) })
        expect(late.granted - late.charged + late.refunded - late.expired).toBe(late.balance)
      })
    )
  })
})

describe("credits, examples", () => {
  it("§1 a new organization has 100 starter credits, and its pack's allowance at once", () => {
    expect(available(openAccount("credits", november).account)).toBe(100)
    expect(available(openAccount("scale", november).account)).toBe(1_000_100)
  })

  it("contract §1 the allowance is spent first, then purchased credits, then overage", () => {
    expect(pay(scale, 10).account).toMatchObject({ allowance: 0, purchased: 5, overageUsed: 0 })
    expect(pay(scale, 12).account).toMatchObject({ allowance: 0, purchased: 3, overageUsed: 0 })
    expect(pay(scale, 18).account).toMatchObject({ allowance: 0, purchased: 0, overageUsed: 3 })
    expect(pay(scale, 18).decision).toEqual({ _tag: "Charged", available: 0 })
  })

  it("contract §1 the credits pack stops at zero and says what was missing", () => {
    const poor = accountAt({ pack: "credits", purchased: 5, renewsAtMs: december })
    expect(pay(poor, 6)).toEqual({
      account: poor,
      entries: [],
      decision: { _tag: "Exhausted", required: 6, available: 5 }
    })
  })

  it("contract §1 an owner's cap ends the overage; a call is never paid in part", () => {
    const capped = { ...scale, overageCap: 3 }
    expect(pay(capped, 18).decision._tag).toBe("Charged")
    expect(pay(pay(capped, 17).account, 2).decision._tag).toBe("Exhausted")
    expect(pay(pay(capped, 17).account, 1).decision._tag).toBe("Charged")
    expect(pay(capped, 19)).toMatchObject({ account: capped, decision: { _tag: "Exhausted", available: 15 } })
  })

  it("an overage is granted with its charge, so that the entries never sum below zero", () => {
    expect(pay(scale, 18).entries.map(({ kind, source, amount }) => [kind, source, amount])).toEqual([
      ["grant", "overage", 3],
      ["charge", "allowance", 10],
      ["charge", "purchased", 5],
      ["charge", "overage", 3]
    ])
  })

  it("contract §1 on the 1st, 00:00 UTC, the rest of the allowance expires and the next is granted", () => {
    expect(pay(scale, 1, december - 1).account.allowance).toBe(9)
    const renewed = pay(scale, 1, december)
    expect(renewed.account).toMatchObject({ allowance: 999_999, purchased: 5, renewsAtMs: january })
    expect(renewed.entries.map(({ reference, kind, amount }) => [reference, kind, amount])).toEqual([
      ["renewal:2026-12-01", "expire", 10],
      ["renewal:2026-12-01", "grant", 1_000_000],
      ["req_1", "charge", 1]
    ])
  })

  it("the month after December is January, and the 1st itself renews a month later", () => {
    expect(renewalAfter(december)).toBe(january)
    expect(renewalAfter(december - 1)).toBe(december)
    expect(renewalAfter(Date.UTC(2028, 0, 31))).toBe(Date.UTC(2028, 1, 1))
  })

  it("an allowance of a month that has ended is not revived by a refund", () => {
    const paid = pay(scale, 18, december - 1)
    const back = refund(paid.account, { requestId: "req_1", nowMs: december, earlier: paid.entries })
    expect(back.refunded).toBe(true)
    expect(back.account).toMatchObject({ allowance: 1_000_000, purchased: 5, overageUsed: 0 })
    const entries = [...openedWith(scale), ...paid.entries, ...back.entries]
    expect(available(back.account)).toBe(balances(entries).at(-1))
  })

  it("contract §1 a higher pack applies at once with its allowance, a lower one at renewal", () => {
    const build = accountAt({ pack: "build", allowance: 7, purchased: 0, renewsAtMs: december })
    const raised = choosePack(build, "scale", november)
    expect(raised.account).toMatchObject({ pack: "scale", allowance: 1_000_007 })
    const lowered = choosePack(scale, "build", november)
    expect(lowered).toEqual({ account: { ...scale, nextPack: "build" }, entries: [] })
    expect(packInForce(lowered.account, december - 1)).toEqual({ pack: "scale", nextPack: "build" })
    expect(packInForce(lowered.account, december)).toEqual({ pack: "build", nextPack: null })
    expect(pay(lowered.account, 1, december).account).toMatchObject({ pack: "build", allowance: 99_999 })
    expect(choosePack(lowered.account, "scale", november).account).toEqual(scale)
  })

  it("a grant stands over the renewal and is given once per id", () => {
    const gift = { grantId: "g1", amount: 1_000, nowMs: november }
    const once = grant(scale, { ...gift, earlier: [] })
    expect(once.account.purchased).toBe(1_005)
    const twice = grant(once.account, { ...gift, earlier: once.entries })
    expect(twice).toEqual({ account: once.account, entries: [] })
    expect(renew(once.account, december).account.purchased).toBe(1_005)
  })
})

const openedWith = (account: Account) =>
  (["allowance", "purchased"] as const).map((source) => ({
    reference: `grant:${source}`,
    kind: "grant" as const,
    source,
    amount: account[source],
    renewsAtMs: account.renewsAtMs,
    atMs: november
  }))
