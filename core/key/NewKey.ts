import type { IsoTime } from "../coverage/date.ts"
import type { Scope } from "../operation/scope.ts"
import { certifiedScope, scopes } from "../operation/scope.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { identifyingName } from "../phi/storedText.ts"
import type { IdentifyingName } from "../phi/storedText.ts"

/**
 * What somebody who makes a key decides about it (contract §1, Keys); the rest is drawn or follows from the
 * instant.
 */
export interface NewKey {
  readonly organizationId: OrganizationId
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: IsoTime | null
  /** Empty: any address. */
  readonly allowedCidrs: ReadonlyArray<string>
  /** Empty: any origin, without CORS headers. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** The certified release the key is for. */
  readonly releaseId: string | null
}

/** Why a key is not made as requested. */
export type InvalidNewKey =
  | { readonly code: "no_scope" | "scopes_mixed" | "release_unread" | "already_expired" }
  | IdentifyingName

/**
 * Returns the first fault of the input at this instant. The certified scope is never mixed with others
 * (contract §1, Keys), and no name contains a patient identifier (phi.md).
 */
export const newKeyFault = (input: NewKey, now: IsoTime): InvalidNewKey | undefined => {
  const code = grantFault(input, now)
  return code === undefined ? identifyingName(input.name) : { code }
}

const grantFault = (input: NewKey, now: IsoTime) => {
  if (input.scopes.length === 0) return "no_scope"
  const readsReleases = input.scopes.includes(certifiedScope)
  if (input.scopes.length > 1 && readsReleases) return "scopes_mixed"
  if (input.releaseId !== null && !readsReleases) return "release_unread"
  return input.expiresAt !== null && input.expiresAt <= now ? "already_expired" : undefined
}

/** Each scope once, in the order given; undefined: one of the words is no scope (§2.5). */
export const parseScopes = (words: ReadonlyArray<string>): ReadonlyArray<Scope> | undefined => {
  const known = words.filter((word): word is Scope => scopes.some((scope) => scope === word))
  return known.length === words.length ? [...new Set(known)] : undefined
}

const originShape = /^([a-z][a-z0-9+.-]*):\/\/((?:[a-z0-9-]+\.)*[a-z0-9-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/
const standardPorts: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443]
])

/**
 * `scheme://host[:port]` as browsers send it in Origin: in lower case, a name beyond ASCII in its `xn--`
 * form, and without the port that the scheme has anyway. Undefined: no origin, or one with a path, which no
 * browser sends.
 */
export const parseOrigin = (text: string): string | undefined => {
  const match = originShape.exec(text.toLowerCase())
  if (match === null) return undefined
  const [, scheme = "", host = "", port] = match
  if (port === undefined) return `${scheme}://${host}`
  if (Number(port) < 1 || Number(port) > 65_535) return undefined
  return Number(port) === standardPorts.get(scheme)
    ? `${scheme}://${host}`
    : `${scheme}://${host}:${Number(port)}`
}
