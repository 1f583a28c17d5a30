import type { OrganizationId } from "../organization/Organization.ts"
import type { NoticeKind } from "./noticeRows.ts"

/** What a row's sentences name, as a reader reads it: `{name}` in a sentence stands for the value. */
export type NoticeValues = Readonly<Record<string, string>>

/**
 * Something an owner must hear of. A kind is told once in its period, which names what it is about: a month,
 * a disabling, a key and its expiry.
 */
export interface Notice {
  readonly kind: NoticeKind
  readonly period: string
  readonly values: NoticeValues
}

/** That a kind was told in a period. */
export type SentNotice = Pick<Notice, "kind" | "period">

/** A notice as it is kept. */
export interface KeptNotice extends Notice {
  readonly noticeId: number
  /** Null: it is one person's own, as a sign-in is. */
  readonly organizationId: OrganizationId | null
  readonly organizationName: string | null
  readonly atMs: number
}
