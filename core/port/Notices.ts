import { StoreFault } from "../error/StoreFault.ts"
import type { KeptNotice } from "../notice/Notice.ts"
import type { SignInJudgement } from "../notice/signIn.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Person, PersonId } from "../person/Person.ts"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export class NoticesUnavailable extends Schema.TaggedError<NoticesUnavailable>()("NoticesUnavailable", {
  fault: StoreFault
}) {}

/** At most so many organizations and endpoints, and so many keys, are looked at in one transaction. */
export const looksMax = 200

/** A page shows so many; there are rarely three. */
export const shownMax = 20

/** What nobody dismissed leaves the page after 30 days. */
export const shownMs = 30 * 86_400_000

/** What was told is remembered longer than any period lasts, so that nothing is told twice: 400 days. */
export const noticesKeptMs = 400 * 86_400_000

/** At most so many are forgotten at once. */
export const forgottenNoticesMax = 1_000

/**
 * What owners must hear of (core/notice), each told once in its period, and the emails of it until they are
 * sent.
 *
 * 1. `observe` looks at organizations whose credits moved since they were last looked at, endpoints disabled
 *    since, and keys about to expire, at most `looksMax` of each; what the kernel's `untold` says of them is
 *    kept, with an email for every owner and admin, all or none. It says how many it looked at: 0 when
 *    nothing is left, or when another is at it. Its cost does not grow with the organizations that did
 *    nothing.
 * 2. Of a ladder and period nothing is kept after a rung as high or higher, however many look at once.
 * 3. Where nobody owns or administers the organization, the email goes to its owner's address, if it has
 *    one.
 * 4. `signedIn` is the kernel's `judgeSignIn` over the devices of that person, and remembers this one; a
 *    `new` one makes a notice and an email to the person. Sign-ins of a person at once are judged in turn.
 * 5. `list` gives an organization's and the person's own notices that this person did not dismiss, newest
 *    first, without lower rungs of the same period, none older than `shownMs`, at most `shownMax`.
 *    Organizations and persons do not see each other's.
 * 6. `dismiss` hides one for that person alone, and for good; false: there is no such notice for them.
 * 7. `forget` removes notices older than `noticesKeptMs` that no email waits for, at most
 *    `forgottenNoticesMax`, and says how many.
 * 8. `takeEmails` gives up to `noticeEmailsMax` emails that are due, each to one caller alone, however many
 *    take at once, for `noticeEmailClaimMs`; one that is not settled by then is due again.
 * 9. An email to somebody who no longer owns or administers the organization is never given.
 * 10. `settleEmail` ends an email, or has it due again at a time; a caller that held it too long changes
 *    nothing.
 * 11. Emails wait in the store: a process that goes loses none.
 * 12. An unavailable store fails with NoticesUnavailable.
 */
export class Notices extends Context.Service<
  Notices,
  {
    readonly observe: (nowMs: number) => Effect.Effect<number, NoticesUnavailable>
    readonly signedIn: (signIn: {
      readonly person: Person
      /** A hash of `deviceText`. */
      readonly device: string
      readonly address: string
      readonly agent: string | null
      readonly nowMs: number
    }) => Effect.Effect<SignInJudgement, NoticesUnavailable>
    readonly list: (reader: {
      readonly organizationId: OrganizationId
      readonly personId: PersonId
      readonly nowMs: number
    }) => Effect.Effect<ReadonlyArray<KeptNotice>, NoticesUnavailable>
    readonly dismiss: (input: {
      readonly noticeId: number
      readonly organizationId: OrganizationId
      readonly personId: PersonId
    }) => Effect.Effect<boolean, NoticesUnavailable>
    readonly forget: (nowMs: number) => Effect.Effect<number, NoticesUnavailable>
    readonly takeEmails: (nowMs: number) => Effect.Effect<ReadonlyArray<DueNoticeEmail>, NoticesUnavailable>
    readonly settleEmail: (email: {
      readonly emailId: number
      readonly attempts: number
      /** Null: it was sent, or is given up. */
      readonly againAtMs: number | null
    }) => Effect.Effect<void, NoticesUnavailable>
  }
>()("coverage/core/port/Notices") {}

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
