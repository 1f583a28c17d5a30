import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { noticeLetter } from "../notice/letter.ts"
import { letterAgainAtMs } from "../notice/posting.ts"
import { deviceText } from "../notice/signIn.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Person, PersonId } from "../person/Person.ts"
import { Crypto } from "../port/Crypto.ts"
import type { DueLetter, LettersUnavailable } from "../port/Letters.ts"
import { Letters, lettersMax } from "../port/Letters.ts"
import { Mail } from "../port/Mail.ts"
import { forgottenNoticesMax, looksMax, Notices } from "../port/Notices.ts"
import type { Device } from "../port/People.ts"
import { Settings } from "../port/Settings.ts"
import type { StoreFault } from "../port/StoreFault.ts"

/** How often owners' affairs are looked at; the first time after as long, so that a start is not slowed. */
const lookEvery = "1 minute"

/** Old notices are a year old: an hour more is nothing. */
const forgetEvery = "1 hour"

/** A full batch is followed by another at once, up to this; the rest waits for the next time. */
const batchesMax = 1_000

/** Letters on their way at once in one process; mail servers dislike more. */
const sendingAtOnce = 5

/**
 * Finds what owners must hear of and keeps it with its letters, for as long as the scope is open. Every
 * process may run it; it needs no mail.
 */
export const noticing: Effect.Effect<void, never, Notices | Scope.Scope> = Effect.gen(function* () {
  const { forget } = yield* Notices
  const look = yield* makeLook
  const forgetting = inBatches(forget, forgottenNoticesMax)
  yield* Effect.forkScoped(repeated("nobody looked for notices", look, lookEvery))
  yield* Effect.forkScoped(repeated("old notices were not forgotten", forgetting, forgetEvery))
})

/** Looks at everything that has happened since the last look. */
export const makeLook = Effect.map(Notices, ({ observe }) => inBatches(observe, looksMax))

/** Sends the letters of notices, for as long as the scope is open. Every process may run it. */
export const mailing: Effect.Effect<void, never, Letters | Mail | Settings | Scope.Scope> = Effect.gen(
  function* () {
    const post = yield* makePost
    yield* Effect.forkScoped(repeated("letters were not sent", post, lookEvery))
  }
)

/** Sends the letters that are due; one that fails is due again later. It says how many were sent. */
export const makePost: Effect.Effect<
  Effect.Effect<number, LettersUnavailable>,
  never,
  Letters | Mail | Settings
> = Effect.gen(function* () {
  const { take, settle } = yield* Letters
  const mail = yield* Mail
  const settings = yield* Settings

  const post = Effect.fnUntraced(function* ({ letterId, attempts, notice, to }: DueLetter) {
    const isSent = yield* Effect.matchEffect(mail.send(noticeLetter(notice, to, settings)), {
      onSuccess: () => Effect.succeed(true),
      onFailure: ({ fault }) => Effect.as(complained("a letter was not sent", { fault, letterId }), false)
    })
    const againAtMs = isSent ? null : letterAgainAtMs(attempts, yield* Clock.currentTimeMillis)
    if (!isSent && againAtMs === null) yield* complained("a letter was given up", { letterId })
    yield* settle({ letterId, attempts, againAtMs })
    return isSent
  })

  return Effect.gen(function* () {
    let sent = 0
    for (let batch = 0; batch < batchesMax; batch++) {
      const letters = yield* take(yield* Clock.currentTimeMillis)
      const posted = yield* Effect.forEach(letters, post, { concurrency: sendingAtOnce })
      const some = posted.filter(Boolean).length
      sent += some
      // Where none went the server is away, and the next letters would only wait for it too.
      if (letters.length < lettersMax || some === 0) break
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
  return yield* (yield* Notices).list({ ...reader, nowMs })
})

/** Hides a notice from one person; false: there is no such notice for them. */
export const dismissNotice = Effect.fnUntraced(function* (reader: Reader, noticeId: number) {
  return yield* (yield* Notices).dismiss({ ...reader, noticeId })
})

interface Reader {
  readonly organizationId: OrganizationId
  readonly personId: PersonId
}

const inBatches = <E>(batch: (nowMs: number) => Effect.Effect<number, E>, many: number) =>
  Effect.repeat(Effect.flatMap(Clock.currentTimeMillis, batch), {
    while: (rows) => rows >= many,
    times: batchesMax
  })

const repeated = <A>(
  sentence: string,
  effect: Effect.Effect<A, { readonly fault: StoreFault }>,
  every: typeof lookEvery | typeof forgetEvery
) =>
  Effect.sleep(every).pipe(
    Effect.andThen(Effect.catch(Effect.asVoid(effect), ({ fault }) => complained(sentence, { fault }))),
    Effect.forever
  )

const complained = (sentence: string, told: Readonly<Record<string, unknown>>) =>
  Effect.annotateLogs(Effect.logWarning(sentence), told)
