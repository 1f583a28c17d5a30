import type { LimitPolicy } from "../limit/policy.ts"
import { redirectTarget } from "./redirectUri.ts"
import { addressSubject } from "../limit/subject.ts"

/**
 * What an address may do without being known, each counted by itself: rows are written for nobody, and
 * documents are fetched because a stranger named them.
 */
export const oauthLimits = {
  /** Ten at once, for the apps of one office; a hundred a day. */
  registration: { perMinute: 10, perDay: 100, concurrent: 10 },
  /** One hosted client: its servers register for many people from few addresses. */
  hostRegistration: { perMinute: 120, perDay: 2_000, concurrent: 120 },
  /** All hosted clients of one address together. */
  hostedRegistration: { perMinute: 300, perDay: 5_000, concurrent: 300 },
  authorization: { perMinute: 60, perDay: null, concurrent: 60 },
  metadata: { perMinute: 20, perDay: null, concurrent: 10 }
} as const satisfies Readonly<Record<string, LimitPolicy>>
export type OAuthLimit = keyof typeof oauthLimits

/** What is counted: one thing that an address does, for registrations of a hosted client by its host. */
export interface OAuthUse {
  readonly limit: OAuthLimit
  readonly host?: string
}

/** Returns the subject of a limit: an address, for one thing. */
export const oauthSubject = ({ host, limit }: OAuthUse, address: string): string =>
  `oauth:${limit}:${addressSubject(address)}${host === undefined ? "" : `:${host}`}`

/**
 * Redirect hosts of hosted clients, whose own servers register them. Codes go to that host alone, so an
 * attacker who registers for it gains only a row, which is deleted after a day without a consent.
 */
export const hostedRedirectHosts: ReadonlyArray<string> = [
  "claude.ai",
  "claude.com",
  "chatgpt.com",
  "cursor.com",
  "www.cursor.com",
  "vscode.dev",
  "insiders.vscode.dev"
]

/**
 * Returns what a registration uses, in the order to acquire. One whose redirect URIs all lead to one hosted
 * client uses that host's count at its address, then the address's count of hosted clients. Any other, and an
 * invalid one, uses the small count of its address. No count is shared by two addresses, so no caller can
 * use up the count of another. The host's comes first: a call refused by it uses nothing of the address's
 * other hosts.
 */
export const registrationUses = (redirectUris: ReadonlyArray<unknown>): ReadonlyArray<OAuthUse> => {
  const hosts = new Set(redirectUris.map((uri) => (typeof uri === "string" ? hostedHost(uri) : undefined)))
  const [host] = hosts
  return hosts.size === 1 && host !== undefined
    ? [{ limit: "hostRegistration", host }, { limit: "hostedRegistration" }]
    : [{ limit: "registration" }]
}

const hostedHost = (uri: string): string | undefined => {
  const target = redirectTarget(uri)
  return target?.kind === "web" ? hostedRedirectHosts.find((host) => host === target.host) : undefined
}
