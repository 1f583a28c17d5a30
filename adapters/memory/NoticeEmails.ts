import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DueNoticeEmail } from "../../core/port/NoticeEmails.ts"
import {
  noticeEmailClaimMs,
  NoticeEmails,
  noticeEmailsMax,
  NoticeEmailsUnavailable
} from "../../core/port/NoticeEmails.ts"
import { Members } from "../../core/port/Members.ts"
import type { WaitingEmail } from "./NoticeState.ts"
import { receivesNotices, NoticeState } from "./NoticeState.ts"

/** The emails of notices in the process. */
export const layer = Layer.effect(
  NoticeEmails,
  Effect.gen(function* () {
    const { emails, notices } = yield* NoticeState
    const members = yield* Members
    /** Where an email goes now; undefined: to nobody, since they left. */
    const addressOf = Effect.fnUntraced(function* ({ email, noticeId, personId }: WaitingEmail) {
      const organizationId = notices.get(noticeId)?.organizationId ?? null
      if (organizationId === null || personId === null) return email
      const list = yield* members.list(organizationId)
      return list.members.find(({ person, role }) => person.personId === personId && receivesNotices(role))
        ?.person.email
    })
    const given = Effect.fnUntraced(function* ([emailId, email]: readonly [number, WaitingEmail]) {
      const [to, own] = [yield* addressOf(email), notices.get(email.noticeId)]
      if (to === undefined || own === undefined) {
        emails.delete(emailId)
        return []
      }
      const { personId: _, ...notice } = own
      return [{ emailId, attempts: email.attempts, to, notice }]
    })
    const held = (nowMs: number) =>
      [...emails]
        .filter(([, { dueAtMs }]) => dueAtMs <= nowMs)
        .slice(0, noticeEmailsMax)
        .map(([emailId, email]) => {
          const taken = { ...email, attempts: email.attempts + 1, dueAtMs: nowMs + noticeEmailClaimMs }
          emails.set(emailId, taken)
          return [emailId, taken] as const
        })
    return NoticeEmails.of({
      take: (nowMs) =>
        Effect.suspend(() => Effect.forEach(held(nowMs), given)).pipe(
          Effect.map((some): ReadonlyArray<DueNoticeEmail> => some.flat()),
          Effect.mapError(({ fault }) => new NoticeEmailsUnavailable({ fault }))
        ),
      settle: ({ emailId, attempts, againAtMs }) =>
        Effect.sync(() => {
          const email = emails.get(emailId)
          if (email?.attempts !== attempts) return
          if (againAtMs === null) emails.delete(emailId)
          else emails.set(emailId, { ...email, dueAtMs: againAtMs })
        })
    })
  })
)
