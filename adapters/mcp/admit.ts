import * as Effect from "effect/Effect"
import { refused } from "../../core/error/Refusal.ts"
import { bearerToken } from "../../core/key/Key.ts"
import type { Refusal } from "../../core/error/Refusal.ts"
import { oauthScopes } from "../../core/oauth/TokenHolder.ts"
import type { TokenHash, TokenHolder } from "../../core/oauth/TokenHolder.ts"
import { AccessTokens } from "../../core/port/AccessTokens.ts"
import type { AccessTokensUnavailable } from "../../core/port/AccessTokens.ts"
import { Crypto } from "../../core/port/Crypto.ts"

/** Who may go on, or why not and what the challenge says of it (RFC 6750 §3). */
export type Admission =
  | { readonly _tag: "Admitted"; readonly holder: TokenHolder }
  | {
      readonly _tag: "Refused"
      readonly refusal: Refusal
      readonly challenge: "invalid_token" | "insufficient_scope" | undefined
    }

/**
 * Steps 2 and 3 of whatever is asked at /mcp, once for each HTTP request (§5, MCP authentication): a token in
 * the Authorization header and nowhere else. An API key is a bad token here. The organization's suspension
 * answers as it does for its keys, so that nobody signs in again and again in vain.
 */
export const makeAdmit = Effect.gen(function* () {
  const tokens = yield* AccessTokens
  const { sha256Hex } = yield* Crypto

  const held = (holder: TokenHolder | undefined): Admission => {
    if (holder === undefined) return invalid
    if (holder.organizationSuspended) return suspended
    return oauthScopes.every((scope) => holder.scopes.includes(scope))
      ? { _tag: "Admitted", holder }
      : lackingScope
  }

  return (authorization: string | undefined): Effect.Effect<Admission, AccessTokensUnavailable> => {
    if (authorization === undefined) return Effect.succeed(missingToken)
    const token = bearerToken(authorization)
    if (token === undefined) return Effect.succeed(malformed)
    // Every API key has a prefix that no token of ours can have: no store need be asked.
    if (keyPrefix.test(token)) return Effect.succeed(invalid)
    return Effect.map(tokens.find(sha256Hex(token) as TokenHash), held)
  }
})

const keyPrefix = /^(svc_|vrt_)/

const refuse = (
  refusal: Refusal,
  challenge: Extract<Admission, { _tag: "Refused" }>["challenge"]
): Admission => ({
  _tag: "Refused",
  refusal,
  challenge
})

const signInHint = "Sign in through OAuth: the WWW-Authenticate header names the metadata to begin with."

const missingToken = refuse(refused("AUTH_MISSING", undefined, signInHint), undefined)
const malformed = refuse(
  refused("AUTH_INVALID_FORMAT", undefined, "Send `Authorization: Bearer` and one OAuth access token."),
  "invalid_token"
)
const invalid = refuse(
  refused("AUTH_INVALID_TOKEN", undefined, `/mcp takes OAuth access tokens and no API keys. ${signInHint}`),
  "invalid_token"
)
const suspended = refuse(
  refused(
    "AUTH_KEY_SUSPENDED",
    undefined,
    "The organization is suspended. Contact support with the request_id: {support}"
  ),
  undefined
)
const lackingScope = refuse(
  refused(
    "AUTHZ_SCOPE_REQUIRED",
    { required_scopes: oauthScopes },
    `Consent again to the scopes ${oauthScopes.join(" ")}.`
  ),
  "insufficient_scope"
)

/** The WWW-Authenticate of a refusal (RFC 6750 §3, RFC 9728 §5.1). */
export const challengeOf = (
  baseUrl: string,
  { challenge }: Extract<Admission, { readonly _tag: "Refused" }>
): string =>
  [
    ...(challenge === undefined ? [] : [`error="${challenge}"`]),
    `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`,
    `scope="${oauthScopes.join(" ")}"`
  ].reduce((text, part, index) => `${text}${index === 0 ? " " : ", "}${part}`, "Bearer")
