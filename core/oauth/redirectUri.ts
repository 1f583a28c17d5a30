import { parseStrictly } from "../network/address.ts"
import { kindsInId } from "../phi/storedText.ts"
import { urlCharactersMax } from "../webhook/Endpoint.ts"
import { nameCharactersMax } from "../webhook/target.ts"

/**
 * Private-use schemes without a dot that widely used MCP clients return to. RFC 8252 §7.1 asks for a reverse
 * domain name, which these apps do not have. The operator may add others (OAUTH_REDIRECT_SCHEMES).
 */
export const appSchemes: ReadonlyArray<string> = ["cursor", "vscode", "vscode-insiders", "windsurf"]

/** Where the browser goes after consent: a web address, a program on its own machine, or an installed app. */
export type RedirectTarget =
  | { readonly kind: "web" | "loopback"; readonly host: string }
  | { readonly kind: "app"; readonly scheme: string }

/**
 * Returns where a redirect URI leads, or undefined if codes may not be sent there: https to any host but the
 * caller's own machine, http to that machine (RFC 8252 §7.3), a reverse-domain scheme (§7.1), or a scheme of
 * `schemes`. All other schemes are rejected, so that no code reaches one that a browser executes or reads
 * files by.
 */
export const redirectTarget = (text: string, schemes = appSchemes): RedirectTarget | undefined => {
  if (text.length > urlCharactersMax || badCharacter.test(text) || text.includes("#")) return undefined
  const parts = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*)|(?=\/))/.exec(text)
  if (parts === null) return undefined
  const [, scheme = "", host] = parts
  if (scheme === "http")
    return host !== undefined && isLoopback(host) ? { kind: "loopback", host } : undefined
  if (scheme === "https")
    return host !== undefined && isHost(host) && !isLoopback(host) ? { kind: "web", host } : undefined
  return isAppScheme(scheme, schemes) && isAppHost(host ?? "") ? { kind: "app", scheme } : undefined
}

/** Whether codes may be sent to the redirect URI, and it contains no patient identifier (phi.md). */
export const isRedirectUri = (text: string, schemes = appSchemes): boolean =>
  redirectTarget(text, schemes) !== undefined && kindsInId(text).length === 0

const isAppScheme = (scheme: string, schemes: ReadonlyArray<string>): boolean =>
  !isForbiddenScheme(scheme) && (reverseDomain.test(scheme) || schemes.includes(scheme))

/** A scheme with a dot: `com.example.app`. */
const reverseDomain = /^[a-z][a-z0-9-]*(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/
const isAppHost = (host: string): boolean => appHost.test(host) && !editorHosts.has(host.toLowerCase())
/** Editors open the path after these hosts as a file or a folder: `vscode://file/…`. */
const editorHosts: ReadonlySet<string> = new Set(["file", "vscode-remote"])
/** The host of an app's own URI, such as `anysphere.cursor-mcp`: no port, and no user information. */
const appHost = /^([a-z0-9]([a-z0-9._-]*[a-z0-9])?)?$/i

/**
 * Returns the scheme in lower case if an operator may add it to `appSchemes`. Returns undefined for text that
 * is no scheme, and for a scheme that a browser or its system handles itself.
 */
export const parseAppScheme = (text: string): string | undefined => {
  const scheme = text.trim().toLowerCase()
  return /^[a-z][a-z0-9+.-]*$/.test(scheme) && !isForbiddenScheme(scheme) ? scheme : undefined
}

const isForbiddenScheme = (scheme: string): boolean =>
  forbiddenSchemes.has(scheme) || forbiddenFamilies.test(scheme)

/** Executed, read as a file, sent as a message, or handled by the browser or the system itself. */
const forbiddenSchemes: ReadonlySet<string> = new Set([
  ...["javascript", "data", "file", "blob", "about", "vbscript", "view-source", "filesystem"],
  ...["livescript", "mocha", "jar", "mhtml", "mht", "res", "resource", "mk", "ms", "its", "hcp", "wyciwyg"],
  ...["http", "https", "ws", "wss", "ftp", "ftps", "sftp", "ssh", "telnet", "gopher", "ldap", "ldaps", "smb"],
  ...["mailto", "tel", "sms", "callto", "news", "nntp", "intent", "content", "feed", "cid", "mid", "urn"],
  ...["chrome", "edge", "opera", "brave", "firefox", "moz-icon", "search", "search-ms", "shell", "null"]
])
/** Schemes that systems and browsers make in numbers: `ms-settings`, `chrome-extension`, `x-javascript`. */
const forbiddenFamilies =
  /^(ms-|x-|web\+|android-|itms|chrome-|edge-|opera-|moz-|safari-|devtools)|-extension$/

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

/**
 * Returns the source that a Content-Security-Policy must list for a redirect: the origin, or the scheme alone
 * for an app's own scheme and for an IPv6 address, which source lists cannot contain.
 */
export const formOriginOf = (redirectUri: string): string => {
  const [origin = "", scheme = "", host = ""] =
    /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]+))?/.exec(redirectUri) ?? []
  return /^https?$/.test(scheme) && !host.startsWith("[") ? origin : `${scheme}:`
}

/** Returns the host of a web address, or an empty text. */
export const hostOf = (url: string): string => /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? ""
