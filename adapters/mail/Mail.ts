import { createTransport } from "nodemailer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Email } from "../../core/port/Mail.ts"
import { Mail, MailUnavailable } from "../../core/port/Mail.ts"
import { Settings } from "../../core/port/Settings.ts"
import type { Message } from "./email.ts"
import { messageOf, senderOf } from "./email.ts"

/** A mail server that has not taken a letter by then is told of as away. */
export const sendMs = 10_000

/** Letters by SMTP: `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
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
      const post = (message: Message) =>
        Effect.tryPromise({ try: () => transport.sendMail(message), catch: faultOf }).pipe(
          Effect.timeoutOrElse({
            duration: sendMs,
            orElse: () => Effect.fail(new MailUnavailable({ fault: "timeout" }))
          }),
          Effect.asVoid
        )
      return Mail.of({ send: (letter) => sendBy(post, letter, from) })
    })
  )

/** An address that no mail server could deliver to was let in by a bug, and the letter is refused. */
const sendBy = (
  post: (message: Message) => Effect.Effect<void, MailUnavailable>,
  letter: Email,
  from: string
) => {
  const message = messageOf(letter, from)
  return message === undefined ? Effect.fail(new MailUnavailable({ fault: "refused" })) : post(message)
}

// One connection for a letter: they are rare, and a pooled connection is mostly a closed one. Neither files
// nor URLs are read for a message.
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

const faultOf = (error: unknown): MailUnavailable =>
  new MailUnavailable({ fault: isRefusal(error) ? "refused" : "unreachable" })

// A server that answered has a code of its protocol; one that is away has none.
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "responseCode" in error && typeof error.responseCode === "number"
