import { createTransport } from "nodemailer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Email } from "../../core/port/Mail.ts"
import { Mail, MailUnavailable } from "../../core/port/Mail.ts"
import { Settings } from "../../core/port/Settings.ts"

/** A mail server that has not taken an email by then counts as unavailable. */
export const sendMs = 10_000

/** Emails by SMTP: `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
export const layer = (smtpUrl: Redacted.Redacted) =>
  Layer.effect(
    Mail,
    Effect.gen(function* () {
      const { baseUrl } = yield* Settings
      const from = senderOf(new URL(Redacted.value(smtpUrl)), baseUrl)
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => transportTo(smtpUrl)),
        (transport) => Effect.sync(() => transport.close())
      )
      const send = Effect.fnUntraced(function* (email: Email) {
        const message = messageOf(email, from)
        // Only a bug lets an address in that no mail server could deliver to.
        if (message === undefined) return yield* new MailUnavailable({ fault: "refused" })
        yield* Effect.tryPromise({ try: () => transport.sendMail(message), catch: faultOf }).pipe(
          Effect.timeoutOrElse({
            duration: sendMs,
            orElse: () => Effect.fail(new MailUnavailable({ fault: "timeout" }))
          })
        )
      })
      return Mail.of({ send })
    })
  )

// Emails are rare, so each gets its own connection: a pooled one would mostly be closed by then. Messages
// read neither files nor URLs.
const transportTo = (smtpUrl: Redacted.Redacted) =>
  createTransport({
    url: Redacted.value(smtpUrl),
    connectionTimeout: sendMs,
    greetingTimeout: sendMs,
    socketTimeout: sendMs,
    dnsTimeout: sendMs,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true
  })

// An error of the protocol has a response code; an unreachable server has none.
const faultOf = (error: unknown): MailUnavailable => {
  const isRefusal =
    error instanceof Error && "responseCode" in error && typeof error.responseCode === "number"
  return new MailUnavailable({ fault: isRefusal ? "refused" : "unreachable" })
}

/** Mail servers fold longer subjects in different ways. */
export const subjectMax = 150

/**
 * An email as the mail server takes it: one recipient as an address, not a list, and a subject of one line,
 * so that no text becomes a header or a second recipient. Undefined: the address is not valid.
 */
export const messageOf = ({ subject, text, to }: Email, from: string) =>
  addressShape.test(to)
    ? {
        from,
        to: { name: "", address: to },
        subject: subject.replaceAll(controls, " ").trim().slice(0, subjectMax),
        text
      }
    : undefined

/** The sender: the account at the mail server if that is an address, otherwise a no-reply mailbox. */
export const senderOf = (smtpUrl: URL, baseUrl: string): string => {
  const account = decodeURIComponent(smtpUrl.username)
  return addressShape.test(account) ? account : `no-reply@${new URL(baseUrl).hostname}`
}

// No space, comma, bracket, quote or line end: nothing that separates addresses.
const addressShape = /^[^\s@,;:<>()[\]\\"\p{Cc}]{1,64}@[a-zA-Z0-9.-]{1,253}$/u
const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
