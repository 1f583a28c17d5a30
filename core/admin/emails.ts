import type { Email } from "../port/Mail.ts"
import type { Invitation } from "../port/Invitations.ts"
import { breakLinks } from "../text/breakLinks.ts"

/** Where a link leads, and to whom the email goes. */
interface Addressed {
  readonly to: string
  /** Without a slash at its end. */
  readonly baseUrl: string
}

/** To an address that signed up: only its owner can open the link, which works once and for a day. */
export const verificationEmail = (
  given: Addressed & { readonly token: string; readonly next: string | null }
): Email => ({
  to: given.to,
  subject: "Confirm your address",
  text: paragraphs([
    "Somebody, most likely you, signed up at the Coverage-Policy API with this address.",
    "To create your account, open this link within a day and choose a password:",
    link(given.baseUrl, "/verify", { token: given.token, ...(given.next !== null && { next: given.next }) }),
    "If that was not you, ignore this email: unless the link is opened there is no account."
  ])
})

/** To an address that signed up and has an account: nobody but its owner is told so. */
export const knownAddressEmail = ({ to, baseUrl }: Addressed): Email => ({
  to,
  subject: "You have an account already",
  text: paragraphs([
    "Somebody, most likely you, signed up at the Coverage-Policy API with this address.",
    "It has an account already, and nothing was changed. To sign in:",
    link(baseUrl, "/login", {}),
    "To choose another password, if you forgot yours:",
    link(baseUrl, "/reset", {}),
    "If that was not you, ignore this email."
  ])
})

/** To somebody who forgot the password; the link works once and for an hour. */
export const resetEmail = (given: Addressed & { readonly token: string }): Email => ({
  to: given.to,
  subject: "Choose another password",
  text: paragraphs([
    "Somebody, most likely you, asked for another password at the Coverage-Policy API.",
    "To do so, open this link within an hour:",
    link(given.baseUrl, "/reset", { token: given.token }),
    "If that was not you, ignore this email: your password stays as it is."
  ])
})

/**
 * To an invited person. The name of the organization cannot become a link, and the inviter is named by an
 * address that was verified.
 */
export const invitationEmail = (invitation: Invitation, baseUrl: string): Email => ({
  to: invitation.email,
  subject: "You are invited to an organization",
  text: paragraphs([
    `${invitation.invitedBy} invites you to an organization at the Coverage-Policy API:`,
    `"${breakLinks(invitation.organizationName)}", as ${roleWords[invitation.role]}.`,
    "To accept, open this link and sign in, or sign up, with this very address, within 7 days:",
    link(baseUrl, `/invitations/${encodeURIComponent(invitation.invitationId)}`, {}),
    "If you do not know them, ignore this email."
  ])
})

const roleWords = { owner: "an owner", admin: "an admin", member: "a member" } as const

const paragraphs = (texts: ReadonlyArray<string>): string => `${texts.join("\n\n")}\n`

const link = (baseUrl: string, path: string, query: Readonly<Record<string, string>>): string => {
  const written = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return baseUrl + path + (written.length > 0 ? `?${written.join("&")}` : "")
}
