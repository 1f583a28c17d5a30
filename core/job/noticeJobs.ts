import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { noticeEmail } from "../notice/noticeEmail.ts"
import type { KeptNotice } from "../notice/Notice.ts"
import { emailRetryAtMs } from "../notice/posting.ts"
import { asRotated, isOfKey } from "../notice/rotation.ts"
import { deviceText } from "../notice/signIn.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Person, PersonId } from "../person/Person.ts"
import { Crypto } from "../port/Crypto.ts"
import type { KeysUnavailable } from "../port/Keys.ts"
import { Keys } from "../port/Keys.ts"
import type { NoticesUnavailable, DueNoticeEmail } from "../port/Notices.ts"
import { Notices, noticeEmailsMax, forgottenNoticesMax, looksMax } from "../port/Notices.ts"
import { Mail } from "../port/Mail.ts"
import type { Device } from "../port/People.ts"
import { Settings } from "../port/Settings.ts"
import { batchesMax, inBatches, repeatAfterDelay } from "./repeatForever.ts"

/** How often owners' affairs are looked at; the first time after as long, so that a start is not slowed. */
const lookEvery = "1 minute"

/** Old notices are a year old: an hour more is nothing. */
const forgetEvery = "1 hour"

/** Emails on their way at once in one process; mail servers dislike more. */
const sendingAtOnce = 5

/**
 * Finds what owners must hear of and keeps it with its emails, for as long as the scope is open. Every
 * process may run it; it needs no mail.
 */
export const noticeJob: Effect.Effect<void, never, Notices | Scope.Scope> = Effect.gen(function* () {
  const { forget } = yield* Notices
  const look = yield* makeLook
  const forgetting = inBatches(forget, forgottenNoticesMax)
  yield* Effect.forkScoped(repeatAfterDelay("nobody looked for notices", look, lookEvery))
  yield* Effect.forkScoped(repeatAfterDelay("old notices were not forgotten", forgetting, forgetEvery))
})

/** Looks at everything that has happened since the last look. */
export const makeLook = Effect.map(Notices, ({ observe }) => inBatches(observe, looksMax))

/** Sends the emails of notices, for as long as the scope is open. Every process may run it. */
export const noticeEmailJob: Effect.Effect<void, never, Keys | Notices | Mail | Settings | Scope.Scope> =
  Effect.gen(function* () {
    const post = yield* makePost
    yield* Effect.forkScoped(repeatAfterDelay("emails were not sent", post, lookEvery))
  })

/** Sends the emails that are due; one that fails is due again later. It says how many were sent. */
export const makePost: Effect.Effect<
  Effect.Effect<number, KeysUnavailable | NoticesUnavailable>,
  never,
  Keys | Notices | Mail | Settings
> = Effect.gen(function* () {
  const { takeEmails: take, settleEmail: settle } = yield* Notices
  const mail = yield* Mail
  const settings = yield* Settings
  const asTold = yield* makeWriteNotices

  const post = Effect.fnUntraced(function* ({ emailId, attempts, notice: kept, to }: DueNoticeEmail) {
    const [notice = kept] = yield* asTold([kept])
    const isSent = yield* Effect.matchEffect(mail.send(noticeEmail(notice, to, settings)), {
      onSuccess: () => Effect.succeed(true),
      onFailure: ({ fault }) => Effect.as(complained("an email was not sent", { fault, emailId }), false)
    })
    const againAtMs = isSent ? null : emailRetryAtMs(attempts, yield* Clock.currentTimeMillis)
    if (!isSent && againAtMs === null) yield* complained("an email was given up", { emailId })
    yield* settle({ emailId, attempts, againAtMs })
    return isSent
  })

  return Effect.gen(function* () {
    let sent = 0
    for (let batch = 0; batch < batchesMax; batch++) {
      const emails = yield* take(yield* Clock.currentTimeMillis)
      const posted = yield* Effect.forEach(emails, post, { concurrency: sendingAtOnce })
      const some = posted.filter(Boolean).length
      sent += some
      // Where none went the server is unavailable, and the next emails would only wait for it too.
      if (emails.length < noticeEmailsMax || some === 0) break
    }
    return sent
  })
})

/**
 * Remembers from where somebody signed in, and tells them when it is a new place. A sign-in does not fail for
 * want of a notice.
 */
export const noteSignIn = Effect.fn("noticing.noteSignIn")(function* (person: Person, device: Device) {
  const { signedIn } = yield* Notices
  const { sha256Hex } = yield* Crypto
  const nowMs = yield* Clock.currentTimeMillis
  const seen = { ...device, person, device: sha256Hex(deviceText(device)), nowMs }
  yield* Effect.catch(Effect.asVoid(signedIn(seen)), ({ fault }) =>
    complained("a sign-in was not noted", { fault })
  )
})

/** What somebody has to hear of in an organization, newest first; they have read it where they dismiss it. */
export const noticesFor = Effect.fnUntraced(function* (reader: Reader) {
  const nowMs = yield* Clock.currentTimeMillis
  return yield* (yield* makeWriteNotices)(yield* (yield* Notices).list({ ...reader, nowMs }))
})

/** Hides a notice from one person; false: there is no such notice for them. */
export const dismissNotice = Effect.fnUntraced(function* (reader: Reader, noticeId: number) {
  return yield* (yield* Notices).dismiss({ ...reader, noticeId })
})

interface Reader {
  readonly organizationId: OrganizationId
  readonly personId: PersonId
}

/** Notices of one organization, in the words of this moment: keys are asked only where some are of keys. */
const makeWriteNotices = Effect.map(
  Keys,
  ({ list }) =>
    (notices: ReadonlyArray<KeptNotice>): Effect.Effect<ReadonlyArray<KeptNotice>, KeysUnavailable> => {
      const organizationId = notices.find(isOfKey)?.organizationId ?? null
      return organizationId === null
        ? Effect.succeed(notices)
        : Effect.map(list(organizationId), (keys) => notices.map((notice) => asRotated(notice, keys)))
    }
)

const complained = (sentence: string, told: Readonly<Record<string, unknown>>) =>
  Effect.annotateLogs(Effect.logWarning(sentence), told)
