import type { AccountFacts } from "./account.ts"
import { reachedByAccount } from "./account.ts"
import type { EndpointFacts } from "./endpoint.ts"
import { reachedByEndpoint } from "./endpoint.ts"
import type { KeyFacts } from "./key.ts"
import { reachedByKey } from "./key.ts"
import type { Notice, SentNotice } from "./Notice.ts"
import { rowOf } from "./noticeRows.ts"

/** Something of an organization that may have come to a notice. */
export type Facts =
  | (AccountFacts & { readonly _tag: "Account" })
  | (EndpointFacts & { readonly _tag: "Endpoint" })
  | (KeyFacts & { readonly _tag: "Key" })

/** Every notice that these facts have come to at the instant, whether it was told or not. */
export const dueNotices = (facts: Facts, nowMs: number): ReadonlyArray<Notice> => {
  switch (facts._tag) {
    case "Account":
      return reachedByAccount(facts, nowMs)
    case "Endpoint":
      return reachedByEndpoint(facts)
    case "Key":
      return reachedByKey(facts, nowMs)
  }
}

/**
 * What is to be told now: of each ladder and period the highest rung, and nothing where that rung or a higher
 * one was told. Whoever looks late hears of where things stand, and not of every step on the way.
 */
export const unsentNotices = (
  notices: ReadonlyArray<Notice>,
  told: ReadonlyArray<SentNotice>
): ReadonlyArray<Notice> => highest(notices).filter((notice) => !told.some((one) => isSettledBy(notice, one)))

/** Without those whose ladder went on in the same period: the page shows how things stand. */
export const highest = <One extends SentNotice>(notices: ReadonlyArray<One>): ReadonlyArray<One> =>
  notices.filter((notice) => !notices.some((other) => isHigher(other, notice)))

const isSettledBy = (notice: SentNotice, told: SentNotice): boolean =>
  isSameLadder(notice, told) && rowOf(told.kind).rung >= rowOf(notice.kind).rung

const isHigher = (one: SentNotice, other: SentNotice): boolean =>
  isSameLadder(one, other) && rowOf(one.kind).rung > rowOf(other.kind).rung

const isSameLadder = (one: SentNotice, other: SentNotice): boolean =>
  one.period === other.period && rowOf(one.kind).ladder === rowOf(other.kind).ladder
