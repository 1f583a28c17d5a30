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

/** An email on its way; without a person it goes to the organization's own address. */
export interface WaitingEmail {
  readonly noticeId: number
  readonly personId: PersonId | null
  readonly email: string
  readonly attempts: number
  readonly dueAtMs: number
}

/** What the memory adapters of notices and emails share; read and written within one synchronous step. */
export class NoticeState extends Context.Service<
  NoticeState,
  {
    readonly notices: Map<number, OwnNotice>
    readonly emails: Map<number, WaitingEmail>
    /** Notice and person, as one text. */
    readonly dismissed: Set<string>
    readonly devices: Map<PersonId, ReadonlyArray<SeenDevice>>
    readonly last: { noticeId: number; emailId: number }
  }
>()("coverage/adapters/memory/NoticeState") {}

export const layer = Layer.sync(NoticeState, () => ({
  notices: new Map(),
  emails: new Map(),
  dismissed: new Set<string>(),
  devices: new Map(),
  last: { noticeId: 0, emailId: 0 }
}))

/** Whether somebody hears of their organization's affairs. */
export const receivesNotices = (role: Role): boolean => role !== "member"

/** Whom a notice is written to. */
export type Recipient = Pick<WaitingEmail, "personId" | "email">

/** Keeps a notice with its emails, once. */
export const keepNotice = (
  book: NoticeState["Service"],
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
    book.emails.set(++book.last.emailId, { ...recipient, noticeId, attempts: 0, dueAtMs: notice.atMs })
  }
}
