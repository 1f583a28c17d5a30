import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { KeptNotice, Notice } from "../../core/notice/Notice.ts"
import type { SeenDevice } from "../../core/notice/signIn.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Role } from "../../core/organization/role.ts"
import type { PersonId } from "../../core/person/Person.ts"

/** A notice and whose it is: an organization's or one person's. */
export interface OwnNotice extends KeptNotice {
  readonly personId: PersonId | null
}

/** A letter on its way; without a person it goes to the organization's own address. */
export interface WaitingLetter {
  readonly noticeId: number
  readonly personId: PersonId | null
  readonly email: string
  readonly attempts: number
  readonly dueAtMs: number
}

/** What the memory adapters of notices and letters share; read and written within one synchronous step. */
export class NoticeBook extends Context.Service<
  NoticeBook,
  {
    readonly notices: Map<number, OwnNotice>
    readonly letters: Map<number, WaitingLetter>
    /** Notice and person, as one text. */
    readonly dismissed: Set<string>
    readonly devices: Map<PersonId, ReadonlyArray<SeenDevice>>
    readonly last: { noticeId: number; letterId: number }
  }
>()("coverage/adapters/memory/NoticeBook") {}

export const layer = Layer.sync(NoticeBook, () => ({
  notices: new Map(),
  letters: new Map(),
  dismissed: new Set<string>(),
  devices: new Map(),
  last: { noticeId: 0, letterId: 0 }
}))

/** Whether somebody hears of their organization's affairs. */
export const isTold = (role: Role): boolean => role !== "member"

/** Whom a notice is written to. */
export type Recipient = Pick<WaitingLetter, "personId" | "email">

/** Keeps a notice with its letters, once. */
export const keepNotice = (
  book: NoticeBook["Service"],
  notice: Notice & {
    readonly organizationId: OrganizationId | null
    readonly organizationName: string | null
    readonly personId: PersonId | null
    readonly atMs: number
  },
  recipients: ReadonlyArray<Recipient>
): void => {
  const noticeId = ++book.last.noticeId
  book.notices.set(noticeId, { ...notice, noticeId })
  for (const recipient of recipients) {
    book.letters.set(++book.last.letterId, { ...recipient, noticeId, attempts: 0, dueAtMs: notice.atMs })
  }
}
