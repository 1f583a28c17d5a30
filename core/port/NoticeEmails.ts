import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { KeptNotice } from "../notice/Notice.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class NoticeEmailsUnavailable extends Schema.TaggedError<NoticeEmailsUnavailable>()(
  "LettersUnavailable",
  {
    fault: StoreFault
  }
) {}

/** Emails in one hand at once. */
export const noticeEmailsMax = 50

/**
 * Whoever takes an email has so long to send it before it is another's: fifty emails, five at a time, to a
 * server that hangs for ten seconds each take less than two minutes.
 */
export const noticeEmailClaimMs = 5 * 60_000

/** An email that is due, in the hand of whoever took it. */
export interface DueNoticeEmail {
  readonly emailId: number
  /** How often it was taken, this time included. */
  readonly attempts: number
  readonly to: string
  readonly notice: KeptNotice
}

/**
 * The emails of notices, until they are sent.
 *
 * 1. `take` gives up to `noticeEmailsMax` emails that are due, each to one caller alone, however many take at
 *    once, for `noticeEmailClaimMs`; one that is not settled by then is due again.
 * 2. An email to somebody who no longer owns or administers the organization is never given.
 * 3. `settle` ends an email, or has it due again at a time; a caller that held it too long changes nothing.
 * 4. Emails wait in the store: a process that goes loses none.
 * 5. A store that is away fails with NoticeEmailsUnavailable.
 */
export class NoticeEmails extends Context.Service<
  NoticeEmails,
  {
    readonly take: (nowMs: number) => Effect.Effect<ReadonlyArray<DueNoticeEmail>, NoticeEmailsUnavailable>
    readonly settle: (email: {
      readonly emailId: number
      readonly attempts: number
      /** Null: it was sent, or is given up. */
      readonly againAtMs: number | null
    }) => Effect.Effect<void, NoticeEmailsUnavailable>
  }
>()("coverage/core/port/NoticeEmails") {}
