import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseStrictly } from "../network/address.ts"
import { timeId } from "../id/timeId.ts"
import { urlCharactersMax } from "../webhook/Endpoint.ts"
import { nameCharactersMax } from "../webhook/target.ts"

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

/** The same of what a client registered, which is JSON; undefined: it gave itself no name. */
export const registeredName = (metadata: string): string | undefined => {
  const named = decodeNamed(metadata)
  return Result.isSuccess(named) ? shownName(named.success.client_name) : undefined
}

const decodeNamed = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.Struct({ client_name: Schema.String }))
)

const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\p{M}{3,}/gu

/**
 * Whether answers may be sent there: https to any host, http on the caller's own machine (RFC 8252 §7.3).
 * Own schemes are refused: any app on a machine may claim one. A host is a name, whose letters outside ASCII
 * are written as punycode, or an address.
 */
export const isRedirectUri = (text: string): boolean => {
  if (text.length > urlCharactersMax || badCharacter.test(text) || text.includes("#")) return false
  const [, scheme = "", authority = ""] = /^(https?):\/\/([^/?#]+)/.exec(text) ?? []
  if (scheme === "") return false
  return scheme === "https" ? isHost(authority) && !isLoopback(authority) : isLoopback(authority)
}

const isHost = (authority: string): boolean => {
  const [, six, name = "", port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(authority) ?? []
  if (Number(port ?? 0) > portMax) return false
  if (six !== undefined) return isPlaceOfIpv6(six)
  return endsInNumber.test(name) ? parseStrictly(name) !== undefined : isName(name)
}

// The caller's own machine, however long it is written, is no host for https.
const isPlaceOfIpv6 = (text: string): boolean => {
  const address = parseStrictly(text)
  return address?.family === 6 && address.bits !== 1n
}

const portMax = 65_535
/** What a browser reads as an IPv4 address, however it is written: only its usual form is one here. */
const endsInNumber = /(^|\.)(\d+|0x[0-9a-f]*)$/i

const isName = (name: string): boolean =>
  name.length <= nameCharactersMax && name.split(".").every((part) => label.test(part))

const badCharacter = /[^\x21-\x7e]|[\\"'<>`{}|^]/
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
const isLoopback = (authority: string): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(authority)

/** What a Content-Security-Policy calls the place a redirect leads to; it has no word for an IPv6 address. */
export const formOriginOf = (redirectUri: string): string => {
  const [origin = "", scheme = "", host = ""] = /^(https?):\/\/([^/?#]+)/.exec(redirectUri) ?? []
  return host.startsWith("[") ? `${scheme}:` : origin
}

/** The host that a redirect leads to, for the reader. */
export const hostOf = (redirectUri: string): string => /^https?:\/\/([^/?#]+)/.exec(redirectUri)?.[1] ?? ""
