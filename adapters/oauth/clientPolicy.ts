import type { ClientMetadata } from "oidc-provider"
import { errors } from "oidc-provider"
import { clientFault, redirectUrisMax, shownName } from "../../core/oauth/client.ts"
import { isRedirectUri } from "../../core/oauth/redirectUri.ts"
import { oauthScopes } from "../../core/oauth/TokenHolder.ts"

/**
 * The library calls the policy once for each metadata member that it does not know itself. Of those of RFC
 * 7591 we need one to be called at all; it is not kept.
 */
export const policyMember = "software_id"

/**
 * Returns the policy that replaces a client's metadata, registered or read from its document (RFC 7591 §2):
 * every client is public, may do what our metadata offer, and keeps only the members that we use. Redirect
 * URIs that are not allowed are dropped, so that a client that lists the addresses of several platforms keeps
 * the others. A null member counts as absent.
 */
export const clientPolicy =
  (schemes: ReadonlyArray<string>) =>
  (_ctx: unknown, _member: string, _value: unknown, given: ClientMetadata): void => {
    const metadata: Record<string, unknown> = given
    const { client_name: name, token_endpoint_auth_method: method } = metadata
    const redirectUris = allowedUris(metadata["redirect_uris"], schemes)
    const kept = pick(metadata)
    const shown = typeof name === "string" ? shownName(name) : undefined
    const { client_id: id } = metadata
    const fault = clientFault({ id: typeof id === "string" ? id : undefined, name: shown })
    if (fault !== undefined) throw new errors.InvalidClientMetadata(fault)
    for (const member of Object.keys(metadata)) delete metadata[member]
    Object.assign(metadata, kept, imposed, {
      redirect_uris: redirectUris,
      ...(shown === undefined ? {} : { client_name: shown }),
      // A client that asked for a secret gets none; one that signs would not be what it claims to be.
      token_endpoint_auth_method: secretMethods.has(method ?? undefined) ? "none" : method
    })
  }

const allowedUris = (uris: unknown, schemes: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > redirectUrisMax)
    throw new errors.InvalidClientMetadata(`redirect_uris must have 1 to ${redirectUrisMax} members`)
  const allowed = uris.filter((uri) => typeof uri === "string" && isRedirectUri(uri, schemes))
  if (allowed.length > 0) return allowed
  throw new errors.InvalidClientMetadata(
    "redirect_uris must contain an https address, an http address on localhost, 127.0.0.1 or [::1], " +
      `or an app scheme with a dot such as com.example.app:/callback or one of ${schemes.join(", ")}; ` +
      "none may contain a fragment or a patient identifier"
  )
}

/** What a client is told that it registered: none of the library's defaults, which mean nothing here. */
export const shownMetadata = (metadata: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(shownMembers.map((member) => [member, metadata[member]]))

const shownMembers = [
  "client_id",
  "client_id_issued_at",
  "client_name",
  "redirect_uris",
  "grant_types",
  "response_types",
  "token_endpoint_auth_method",
  "application_type",
  "scope"
] as const

const keptMembers = ["client_id", "client_id_issued_at"] as const

const pick = (metadata: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    keptMembers.filter((member) => metadata[member] !== undefined).map((member) => [member, metadata[member]])
  )

/** `native` lets a client on its own machine come back at any port (RFC 8252 §7.3). */
const imposed = {
  application_type: "native",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  scope: oauthScopes.join(" ")
} as const

const secretMethods: ReadonlySet<unknown> = new Set([
  undefined,
  "none",
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt"
])
