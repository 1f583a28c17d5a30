import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { StoreFault } from "../error/StoreFault.ts"

export class MailUnavailable extends Schema.TaggedError<MailUnavailable>()("MailUnavailable", {
  fault: StoreFault
}) {}

/** An email of plain text; links in it are on lines of their own. */
export interface Email {
  readonly to: string
  /** One line of at most 150 characters. */
  readonly subject: string
  readonly text: string
}

/**
 * Outgoing mail.
 *
 * 1. An email that is answered for was taken by the mail server; it may come twice where an answer was lost.
 * 2. No address, subject or text can add a header or a recipient.
 * 3. A server that is unavailable, refuses or hangs for ten seconds fails with MailUnavailable.
 */
export class Mail extends Context.Service<
  Mail,
  { readonly send: (email: Email) => Effect.Effect<void, MailUnavailable> }
>()("coverage/core/port/Mail") {}
