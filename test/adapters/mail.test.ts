import assert from "node:assert/strict"
import { describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as LogMail from "../../adapters/mail/log.ts"
import * as SmtpMail from "../../adapters/mail/Mail.ts"
import { messageOf, senderOf } from "../../adapters/mail/Mail.ts"
import type { Email } from "../../core/port/Mail.ts"
import { Mail } from "../../core/port/Mail.ts"
import { settingsOf } from "../kit/people.ts"
import { mailServer, refusedAddress, silentServer } from "../kit/smtp.ts"

const email: Email = {
  to: "ada@example.com",
  subject: "Confirm",
  text: "Open this:\n\nhttp://x/verify?token=1\n"
}

const sendBy = (url: string, given: Email) =>
  Effect.flatMap(Mail, (mail) => mail.send(given)).pipe(
    Effect.provide(
      SmtpMail.layer(Redacted.make(url)).pipe(
        Layer.provide(settingsOf({ baseUrl: "https://api.example.org" }))
      )
    ),
    Effect.scoped
  )

const faultOf = <A, R>(sent: Effect.Effect<A, { readonly fault: string }, R>) =>
  Effect.map(Effect.flip(sent), ({ fault }) => fault)

describe("Mail by SMTP", () => {
  layer(Layer.empty, { excludeTestServices: true })("with a server", (it) => {
    it.effect("law 1: an email arrives with its text, from a mailbox of the service's own host", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { next, port } = yield* mailServer
          const text = "Grüße, Ada!\n\n.\n..dots\nhttps://x/verify?token=abc=\n"
          yield* sendBy(`smtp://127.0.0.1:${port}`, { ...email, subject: "Grüße", text })
          const { from, source, to } = yield* next
          assert.deepEqual([from, to], ["no-reply@api.example.org", ["ada@example.com"]])
          assert.match(source, /^From: no-reply@api\.example\.org\r$/m)
          assert.match(source, /^Subject: =\?UTF-8\?/m)
          assert.equal(decodedText(source), text)
        })
      )
    )
    it.effect("the account at the mail server is the sender where it is an address", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { next, port } = yield* mailServer
          yield* sendBy(`smtp://post%40example.org:secret@127.0.0.1:${port}`, email)
          const { account, from } = yield* next
          assert.deepEqual([account, from], ["post@example.org", "post@example.org"])
        })
      )
    )
    it.effect("law 2: no subject adds a header, and no text ends the email early", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { next, port } = yield* mailServer
          const subject = "Hi\r\nBcc: mallory@example.com\r\n\r\nbody\u2028Cc: x@example.com"
          const text = "one\r\n.\r\nMAIL FROM:<mallory@example.com>\r\nBcc: mallory@example.com\r\n"
          yield* sendBy(`smtp://127.0.0.1:${port}`, { ...email, subject, text })
          const { source, to } = yield* next
          assert.deepEqual(to, ["ada@example.com"])
          const [head = ""] = source.split("\r\n\r\n")
          assert.doesNotMatch(head, /^(bcc|cc):/im)
          assert.match(head, /^Subject: Hi Bcc: mallory@example\.com body/m)
          assert.match(decodedText(source), /^one\n\.\nMAIL FROM/)
        })
      )
    )
    it.effect("law 2: what is no single address is refused and reaches no mail server", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { port, size } = yield* mailServer
          for (const to of hostileAddresses)
            assert.equal(yield* faultOf(sendBy(`smtp://127.0.0.1:${port}`, { ...email, to })), "refused")
          assert.equal(yield* size, 0)
        })
      )
    )
    it.effect("law 3: a server that refuses or is unavailable fails with MailUnavailable", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { port } = yield* mailServer
          const refused = sendBy(`smtp://127.0.0.1:${port}`, { ...email, to: refusedAddress })
          assert.equal(yield* faultOf(refused), "refused")
          assert.equal(yield* faultOf(sendBy("smtp://127.0.0.1:1", email)), "unreachable")
        })
      )
    )
  })
  it.effect("law 3: a server that hangs fails after ten seconds", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { connected, port } = yield* silentServer
        const sending = yield* Effect.forkChild(faultOf(sendBy(`smtp://127.0.0.1:${port}`, email)))
        yield* connected
        yield* TestClock.adjust(9_999)
        assert.equal(sending.pollUnsafe(), undefined)
        yield* TestClock.adjust(1)
        assert.equal(yield* Fiber.join(sending), "timeout")
      })
    )
  )
  it("the sender is never more than one address", () => {
    const senderFrom = (url: string) => senderOf(new URL(url), "https://api.example.org")
    assert.equal(senderFrom("smtp://user@mail.example.org"), "no-reply@api.example.org")
    assert.equal(senderFrom("smtp://a%40b.c%2Cd%40e.f@mail.example.org"), "no-reply@api.example.org")
  })
  it("law 2: a subject has at most 150 characters", () => {
    assert.equal(messageOf({ ...email, subject: "x".repeat(500) }, "a@b.c")?.subject.length, 150)
  })
})

describe("Mail without a server", () => {
  it.effect("an email goes to the log, links and all", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
      const sending = Effect.flatMap(Mail, (mail) => mail.send(email))
      yield* Effect.provide(sending, [LogMail.layer, Logger.layer([logger])])
      assert.match(lines.join(), /token=1/)
      assert.match(lines.join(), /ada@example\.com/)
    })
  )
})

const hostileAddresses = [
  "ada@example.com, mallory@example.com",
  "ada@example.com\r\nBcc: mallory@example.com",
  "ada@example.com>\r\nRCPT TO:<mallory@example.com",
  '"Ada" <ada@example.com>',
  "ada@example.com (comment)",
  "ada@exa mple.com",
  "group:ada@example.com;",
  "ada",
  ""
]

/** The text of an email of one part, whichever way it was written. */
const decodedText = (source: string): string => {
  const [head = "", ...rest] = source.split("\r\n\r\n")
  const body = rest.join("\r\n\r\n")
  const way = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1]
  return (
    way === "base64"
      ? Buffer.from(body, "base64").toString()
      : way === "quoted-printable"
        ? unquoted(body)
        : body
  ).replaceAll("\r\n", "\n")
}

const unquoted = (text: string): string =>
  Buffer.from(
    text
      .replaceAll("=\r\n", "")
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1"
  ).toString("utf8")
