import { describe, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as SmtpMail from "../../adapters/mail/Mail.ts"
import * as Payments from "../../adapters/memory/Payments.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import { emailDelaysMs } from "../../core/notice/posting.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Email } from "../../core/port/Mail.ts"
import { Mail, MailUnavailable } from "../../core/port/Mail.ts"
import { Keys } from "../../core/port/Keys.ts"
import { Notices } from "../../core/port/Notices.ts"
import { Settings } from "../../core/port/Settings.ts"
import { offers } from "../../core/admin/purchase.ts"
import { noticeEmailJob, makeLook, makePost, noteSignIn, noticeJob } from "../../core/job/noticeJobs.ts"
import { NoticesElsewhere } from "../kit/notices.ts"
import { postgresNotices } from "../stores/notices.ts"
import { aPerson, beganMs, dayMs, organizationWith, toldTo, useCredits } from "../kit/noticeSubjects.ts"
import { movableClock } from "../http/clock.ts"
import { mailServer } from "../kit/smtp.ts"

const settings = Layer.succeed(Settings, {
  baseUrl: "https://api.example.com",
  supportUrl: "https://example.com/support",
  secretKeys: ["a secret key of the tests, 32 characters long"]
})

/** A mail server that can be unavailable, and what it was given. */
class Post extends Context.Service<Post, { away: boolean; readonly emails: Array<Email> }>()("test/Post") {}

const mail = Layer.effect(
  Mail,
  Effect.map(Post, (post) =>
    Mail.of({
      send: (email) =>
        Effect.suspend(() => {
          if (post.away) return Effect.fail(new MailUnavailable({ fault: "unreachable" }))
          return Effect.sync(() => void post.emails.push(email))
        })
    })
  )
)

const quiet = Layer.succeed(References.MinimumLogLevel, "None")

const around = Layer.mergeAll(mail, settings, NodeCrypto.layer, quiet).pipe(
  Layer.provideMerge(Layer.sync(Post, () => ({ away: false, emails: [] })))
)

/** The suite's own clock runs on while its statements do. */
const slackMs = 30_000

/** An organization past 80 % of its allowance. */
const warned = Effect.fnUntraced(function* (roles: ReadonlyArray<Role>) {
  const subject = yield* organizationWith("build", roles)
  yield* useCredits(subject.organizationId, 80_100, yield* Clock.currentTimeMillis)
  yield* yield* makeLook
  return subject
})

/** The emails that reached these people. */
const toThese = Effect.fnUntraced(function* (people: ReadonlyArray<{ readonly email: string }>) {
  const { emails } = yield* Post
  return emails.filter(({ to }) => people.some(({ email }) => email === to))
})

describe("noticing", () => {
  const clock = movableClock(beganMs)
  const live = { excludeTestServices: true }
  layer(
    Layer.mergeAll(postgresNotices, around, clock.layer),
    live
  )((it) => {
    it.effect("owners and admins are written to, and the page says the same", () =>
      Effect.gen(function* () {
        const { organizationId, people } = yield* warned(["owner", "admin", "member"])
        yield* yield* makePost
        const emails = yield* toThese(people)
        expect(emails.map(({ to }) => to).toSorted()).toEqual(
          people
            .slice(0, 2)
            .map(({ email }) => email)
            .toSorted()
        )
        expect(emails[0]?.subject).toBe("Example Clinic: 80 % of this month's credits are used")
        expect(emails[0]?.text).toContain(`https://api.example.com/dashboard/${organizationId}/credits`)
        expect((yield* toldTo(organizationId, yield* Clock.currentTimeMillis))[0]?.kind).toBe("credits_80")
      })
    )

    it.effect("a mail server that is unavailable loses nothing: the email goes when it is back, once", () =>
      Effect.gen(function* () {
        const post = yield* Post
        const { people } = yield* warned(["owner"])
        post.away = true
        const sent = yield* makePost
        expect(yield* sent).toBe(0)
        expect(yield* sent).toBe(0)
        for (const delayMs of emailDelaysMs.slice(0, -1)) {
          clock.move(delayMs)
          expect(yield* sent).toBe(0)
        }
        post.away = false
        clock.move((emailDelaysMs.at(-1) ?? 0) - slackMs)
        expect(yield* sent).toBe(0)
        clock.move(slackMs)
        expect(yield* sent).toBe(1)
        clock.move(30 * dayMs)
        expect(yield* sent).toBe(0)
        expect(yield* toThese(people)).toHaveLength(1)
      })
    )

    it.effect("an email that fails for good is given up, and the page still has the notice", () =>
      Effect.gen(function* () {
        const post = yield* Post
        const { organizationId, people } = yield* warned(["owner"])
        post.away = true
        const sent = yield* makePost
        for (let attempt = 0; attempt <= emailDelaysMs.length; attempt++) {
          yield* sent
          clock.move(dayMs)
        }
        post.away = false
        expect(yield* sent).toBe(0)
        expect(yield* toThese(people)).toEqual([])
        expect(yield* toldTo(organizationId, yield* Clock.currentTimeMillis)).toHaveLength(1)
      })
    )

    it.effect("two processes look and send at once, and nobody hears twice", () =>
      Effect.gen(function* () {
        const elsewhere = yield* NoticesElsewhere
        const { people } = yield* warned(["owner", "owner", "admin"])
        const [here, there] = [yield* makePost, yield* Effect.provide(makePost, elsewhere)]
        const counts = yield* Effect.all([here, there, here, there], { concurrency: "unbounded" })
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3)
        const emails = yield* toThese(people)
        expect(new Set(emails.map(({ to }) => to)).size).toBe(3)
        expect(emails).toHaveLength(3)
      })
    )

    it.effect("somebody who signs in from a new place hears of it, and not from the one they know", () =>
      Effect.gen(function* () {
        const person = aPerson()
        const [home, elsewhere] = ["203.0.113.7", "198.51.100.9"]
        for (const address of [home, home, elsewhere, home]) {
          yield* noteSignIn(person, { address, agent: "Browser/1.0" })
        }
        yield* yield* makePost
        const emails = yield* toThese([person])
        expect(emails.map(({ subject }) => subject)).toEqual(["A new sign-in to your account"])
        expect(emails[0]?.text).toContain(elsewhere)
      })
    )
  })
})

/** How often each was asked. */
const asked = { observe: 0, take: 0 }
const counted = Layer.merge(
  Layer.mock(Notices)({
    observe: () =>
      Effect.sync(() => {
        asked.observe++
        return 0
      }),
    forget: () => Effect.succeed(0),
    takeEmails: () =>
      Effect.sync(() => {
        asked.take++
        return []
      })
  }),
  Layer.mock(Keys)({})
)

describe("the loops of noticing", () => {
  layer(Layer.merge(counted, around))((it) => {
    it.effect("look and send each minute, not before the first, and end with their scope", () =>
      Effect.gen(function* () {
        const loops = Effect.gen(function* () {
          yield* noticeJob
          yield* noticeEmailJob
          yield* TestClock.adjust("59 seconds")
          expect(asked).toEqual({ observe: 0, take: 0 })
          yield* TestClock.adjust("1 second")
          expect(asked).toEqual({ observe: 1, take: 1 })
          yield* TestClock.adjust("1 minute")
          expect(asked).toEqual({ observe: 2, take: 2 })
        })
        yield* Effect.scoped(loops)
        yield* TestClock.adjust("10 minutes")
        expect(asked).toEqual({ observe: 2, take: 2 })
      })
    )
  })
})

layer(around)("without a store", (it) => {
  it.effect("a sign-in does not fail for want of a notice", () =>
    noteSignIn(aPerson(), { address: "203.0.113.7", agent: null }).pipe(
      Effect.provide(
        Layer.mock(Notices)({
          signedIn: () => Effect.fail({ _tag: "NoticesUnavailable", fault: "unreachable" } as never)
        })
      )
    )
  )
})

describe("emails by SMTP", () => {
  layer(Layer.merge(postgresNotices, settings), { excludeTestServices: true })((it) => {
    it.effect("an email arrives with its link on a line of its own", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { organizationId, people } = yield* organizationWith("build")
          const nowMs = yield* Clock.currentTimeMillis
          yield* useCredits(organizationId, 200_000, nowMs)
          yield* yield* makeLook
          const server = yield* mailServer
          const smtp = SmtpMail.layer(Redacted.make(`smtp://127.0.0.1:${server.port}`))
          expect(yield* Effect.flatten(makePost).pipe(Effect.provide(smtp))).toBe(1)
          const { source, to } = yield* server.next
          expect(to).toEqual(people.map(({ email }) => email))
          expect(source).toMatch(/^Subject: Example Clinic: 150 % of this month's credits are used\r$/m)
          expect(source.replaceAll("=\r\n", "")).toMatch(
            new RegExp(`^https://api.example.com/dashboard/${organizationId}/credits\r$`, "m")
          )
        })
      )
    )
  })
})

describe("buying", () => {
  layer(Payments.layer.pipe(Layer.provide(settings)))((it) => {
    it.effect("without a seller the owner is told whom to ask, and nobody else may choose", () =>
      Effect.gen(function* () {
        const actor = { person: aPerson(), organizationId: "org_1" as never, role: "owner" } as const
        expect(yield* offers(actor)).toEqual({ _tag: "AskSupport", url: "https://example.com/support" })
        expect(yield* offers({ ...actor, role: "admin" })).toEqual({ _tag: "Forbidden" })
      })
    )
  })
})
