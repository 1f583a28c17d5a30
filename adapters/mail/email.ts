import type { Email } from "../../core/port/Mail.ts"

/** Longer subjects are folded by mail servers in ways that differ. */
export const subjectMax = 150

/** What is handed to the mail server. */
export interface Message {
  readonly from: string
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
}

/**
 * A letter as a message. One recipient, given as an address and not as a list, and a subject of one line:
 * nothing that somebody wrote becomes a header or a second recipient. Undefined: the address is none.
 */
export const messageOf = (letter: Email, from: string): Message | undefined =>
  addressShape.test(letter.to)
    ? {
        from,
        to: { name: "", address: letter.to },
        subject: letter.subject.replaceAll(controls, " ").trim().slice(0, subjectMax),
        text: letter.text
      }
    : undefined

/**
 * Who the letters come from: the account at the mail server where that is an address, and otherwise a
 * mailbox of the service's own host that nobody reads.
 */
export const senderOf = (smtpUrl: URL, baseUrl: string): string => {
  const account = decodeURIComponent(smtpUrl.username)
  return addressShape.test(account) ? account : `no-reply@${new URL(baseUrl).hostname}`
}

// No space, no comma, no bracket, no quote and no line's end: none of what separates addresses.
const addressShape = /^[^\s@,;:<>()[\]\\"\p{Cc}]{1,64}@[a-zA-Z0-9.-]{1,253}$/u
const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
