import * as fc from "fast-check"
import { keyLeads } from "../../core/notice/key.ts"
import type { Facts } from "../../core/notice/due.ts"
import { dueNotices, unsentNotices } from "../../core/notice/due.ts"
import type { Notice } from "../../core/notice/Notice.ts"
import type { NoticeKind } from "../../core/notice/noticeRows.ts"
import type { Account } from "../../core/organization/Account.ts"
import { packs } from "../../core/organization/pack.ts"

export const novemberMs = Date.UTC(2026, 10, 21, 11)
const decemberMs = Date.UTC(2026, 11, 1)

/** An account in November, of which its pack's allowance was granted. */
export const accountFacts = (
  account: Partial<Account> & Pick<Account, "pack">,
  bought = 100
): Extract<Facts, { readonly _tag: "Account" }> => ({
  _tag: "Account",
  account: {
    nextPack: null,
    allowance: 0,
    purchased: 0,
    overageCap: null,
    renewsAtMs: decemberMs,
    ...account,
    overageUsed: Math.max(0, account.overageUsed ?? 0)
  },
  granted: packs[account.pack].monthlyAllowance,
  bought
})

type EndpointFacts = Extract<Facts, { readonly _tag: "Endpoint" }>

export const aDisabled = (endpoint: Partial<EndpointFacts["endpoint"]>): EndpointFacts => ({
  _tag: "Endpoint",
  endpoint: {
    endpointId: 7,
    url: "https://hooks.example.com/in?token=1",
    status: "disabled",
    failureCount: 10,
    failingSinceMs: novemberMs - 6 * 86_400_000,
    updatedAtMs: novemberMs,
    ...endpoint
  },
  lastStatus: 500,
  lastError: "The receiver answered 500."
})

export const aKey = (times: {
  readonly createdAtMs: number
  readonly expiresAtMs: number
}): Extract<Facts, { readonly _tag: "Key" }> => ({
  _tag: "Key",
  keyId: "key_1",
  name: "billing",
  mark: "valid",
  ...times
})

/** Facts at an instant, as somebody looks at them. */
export interface Look {
  readonly facts: Facts
  readonly nowMs: number
}

/** What is told by looks one after another, each seeing what was told before. */
export const tellsOf = (looks: ReadonlyArray<Look | Facts>): ReadonlyArray<Notice> => {
  const told: Array<Notice> = []
  for (const look of looks) {
    const { facts, nowMs } = "facts" in look ? look : { facts: look, nowMs: novemberMs }
    told.push(...unsentNotices(dueNotices(facts, nowMs), told))
  }
  return told
}

/** What one look at untold facts tells. */
export const kinds = (facts: Facts, nowMs: number): ReadonlyArray<NoticeKind> =>
  tellsOf([{ facts, nowMs }]).map(({ kind }) => kind)

const edge = fc.constantFrom(-1, 0, 1)

/** Aimed at the thresholds, where a uniform draw would rarely land. */
const near = (...places: ReadonlyArray<number>): fc.Arbitrary<number> =>
  fc.tuple(fc.constantFrom(...places), edge).map(([place, beyond]) => Math.max(0, place + beyond))

const paid = fc
  .record({ used: near(80_000, 100_000, 150_000), cap: fc.constantFrom(null, 0, 9, 50_000) })
  .map(({ cap, used }) =>
    accountFacts({
      pack: "build",
      allowance: Math.max(0, 100_000 - used),
      overageUsed: Math.max(0, used - 100_000),
      overageCap: cap
    })
  )

const unpaid = fc
  .record({ left: near(20, 8, 0), bought: fc.constantFrom(100, 1_100) })
  .map(({ left, bought }) => accountFacts({ pack: "credits", purchased: left }, bought))

const disabled = fc
  .record({ endpointId: fc.constantFrom(1, 2), updatedAtMs: near(novemberMs) })
  .map((endpoint) => aDisabled(endpoint))

const others: fc.Arbitrary<Look> = fc.record({
  facts: fc.oneof(paid, unpaid, disabled),
  nowMs: near(novemberMs, decemberMs)
})

const keys: fc.Arbitrary<Look> = fc
  .record({
    livesMs: near(...keyLeads.map(({ leadMs }) => leadMs), 30 * 86_400_000),
    leftMs: near(...keyLeads.map(({ leadMs }) => leadMs), 0)
  })
  .map(({ livesMs, leftMs }) => ({
    facts: aKey({ createdAtMs: decemberMs - livesMs, expiresAtMs: decemberMs }),
    nowMs: decemberMs - leftMs
  }))

/** Looks at all kinds of facts of one organization, in any order. */
export const everyReached: fc.Arbitrary<ReadonlyArray<Look>> = fc.array(
  fc.oneof({ weight: 3, arbitrary: others }, keys),
  { maxLength: 20 }
)
