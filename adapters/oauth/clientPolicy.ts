import type { ClientMetadata } from "oidc-provider"
import { errors } from "oidc-provider"
import { isRedirectUri, redirectUrisMax, shownName } from "../../core/oauth/client.ts"
import { oauthScopes } from "../../core/oauth/TokenHolder.ts"

/**
 * The library calls the policy once for each metadata member that it does not know itself. Of those of RFC
 * 7591 we need one to be called at all; it is not kept.
 */
export const policyMember = "software_id"

/**
 * What becomes of a client's metadata, registered or read from its document (RFC 7591 §2 lets a server
 * replace them): every client is public, may do what our metadata say, and keeps nothing that we do not use.
 */
export const applyClientPolicy = (
  _ctx: unknown,
  _member: string,
  _value: unknown,
  given: ClientMetadata
): void => {
  const metadata: Record<string, unknown> = given
  const { client_name: name, redirect_uris: uris, token_endpoint_auth_method: method } = metadata
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > redirectUrisMax)
    throw new errors.InvalidClientMetadata(`redirect_uris must have 1 to ${redirectUrisMax} members`)
  if (!uris.every((uri) => typeof uri === "string" && isRedirectUri(uri)))
    throw new errors.InvalidClientMetadata(
      "redirect_uris must be https, or http on localhost, 127.0.0.1 or [::1], and hold no fragment"
    )
  const kept = pick(metadata)
  const shown = typeof name === "string" ? shownName(name) : undefined
  for (const member of Object.keys(metadata)) delete metadata[member]
  Object.assign(metadata, kept, imposed, {
    ...(shown === undefined ? {} : { client_name: shown }),
    // A client that asked for a secret is told that it has none; one that signs would not be what it says.
    token_endpoint_auth_method: secretMethods.has(method) ? "none" : method
  })
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

const keptMembers = ["client_id", "client_id_issued_at", "redirect_uris"] as const

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
