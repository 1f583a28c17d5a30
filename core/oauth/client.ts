import { timeId } from "../operation/timeId.ts"
import { urlCharactersMax } from "../webhook/Endpoint.ts"

/**
 * The id of a client that registers itself. It begins with a letter: usage names the client by it, and an
 * export must not show it otherwise (`csvCell` marks what a spreadsheet would take for a formula).
 */
export const newClientId = (input: Parameters<typeof timeId>[0]): string => `app_${timeId(input)}`

/** A client has one way back, or a few: an app on several platforms. */
export const redirectUrisMax = 10
/** A name stands in one line of the consent page. */
export const clientNameCharactersMax = 80

/** A client that nobody ever consented to is forgotten after a day. */
export const unusedClientMs = 86_400_000

/** What a client is called that gave itself no name that can be shown. */
export const namelessClient = "An app without a name"

/**
 * The name as it is shown: on one line, without characters that turn, hide or overlay the text around it.
 * Undefined: nothing is left of it.
 */
export const shownName = (text: string): string | undefined => {
  const name = text.normalize("NFC").replaceAll(invisible, " ").replaceAll(/\s+/g, " ").trim()
  const cut = Array.from(name).slice(0, clientNameCharactersMax).join("")
  return cut === "" ? undefined : cut
}

const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\p{M}{3,}/gu

/**
 * Whether answers may be sent there: https anywhere, http on the caller's own machine (RFC 8252 §7.3). Own
 * schemes are refused: any app on a machine may claim one.
 */
export const isRedirectUri = (text: string): boolean => {
  if (text.length > urlCharactersMax || badCharacter.test(text) || text.includes("#")) return false
  const [, scheme = "", authority = ""] = /^(https?):\/\/([^/?#]+)/.exec(text) ?? []
  if (scheme === "" || authority.includes("@")) return false
  return scheme === "https" ? !isLoopback(authority) : isLoopback(authority)
}

const badCharacter = /[^\x21-\x7e]|[\\"'<>`{}|^]/
const isLoopback = (authority: string): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(authority)

/** What a Content-Security-Policy calls the place a redirect leads to; it has no word for an IPv6 address. */
export const formOriginOf = (redirectUri: string): string => {
  const [origin = "", scheme = "", host = ""] = /^(https?):\/\/([^/?#]+)/.exec(redirectUri) ?? []
  return host.startsWith("[") ? `${scheme}:` : origin
}

/** The host that a redirect leads to, for the reader. */
export const hostOf = (redirectUri: string): string => /^https?:\/\/([^/?#]+)/.exec(redirectUri)?.[1] ?? ""
