import { generateKeyPairSync } from "node:crypto"
import type { AdapterFactory, Configuration, KoaContextWithOIDC } from "oidc-provider"
import { errors } from "oidc-provider"
import { readAccount } from "../../core/oauth/OAuthGrant.ts"
import { oauthPaths, resourceOf } from "../../core/oauth/metadata.ts"
import { accessTokenSeconds, oauthScopes } from "../../core/oauth/TokenHolder.ts"
import { clientPolicy, policyMember } from "./clientPolicy.ts"

/** A code is redeemed at once. */
export const codeSeconds = 60
/** For whom must sign up first, mail and all. */
export const consentSeconds = 3_600
/** A document of a client is read again after so long, whatever its own headers say. */
const documentSeconds = { min: 60, max: 3_600 }
export const documentBytesMax = 64 * 1_024

/** Cookies are named for what they are; `__Secure-` is refused by browsers without HTTPS. */
export const cookieNames = (baseUrl: string) => {
  const prefix = baseUrl.startsWith("https://") ? "__Secure-" : ""
  return {
    session: `${prefix}oauth_session`,
    interaction: `${prefix}oauth_consent`,
    resume: `${prefix}oauth_resume`
  } as const
}

export interface ConfigurationParts {
  readonly baseUrl: string
  readonly adapter: AdapterFactory
  readonly fetch: NonNullable<Configuration["fetch"]>
  readonly mayFetch: (ctx: KoaContextWithOIDC | undefined) => Promise<boolean>
  readonly renderError: NonNullable<Configuration["renderError"]>
  readonly newClientId: () => string
  /** Schemes of apps that codes may be sent to. */
  readonly schemes: ReadonlyArray<string>
}

/**
 * The library as it is used here: codes with PKCE, opaque tokens for one resource, rotating refresh tokens.
 * Nothing of OpenID is on: who somebody is, no client is told.
 */
export const configurationOf = (parts: ConfigurationParts): Configuration => {
  const resource = resourceOf(parts.baseUrl)
  const cookie = { httpOnly: true, sameSite: "lax" } as const
  return {
    adapter: parts.adapter,
    jwks: { keys: [unusedKey()] },
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      registration: oauthPaths.register,
      revocation: oauthPaths.revoke
    },
    scopes: [...oauthScopes],
    responseTypes: ["code"],
    clientAuthMethods: ["none"],
    clientDefaults: { token_endpoint_auth_method: "none", id_token_signed_response_alg: unusedAlgorithm },
    extraClientMetadata: { properties: [policyMember], validator: clientPolicy(parts.schemes) },
    clockTolerance: 0,
    cookies: { names: cookieNames(parts.baseUrl), long: cookie, short: cookie },
    pkce: { required: () => true },
    features: features(parts, resource),
    fetch: parts.fetch,
    fetchResponseBodyLimits: { "client_id metadata document": documentBytesMax },
    findAccount: (_ctx, sub) =>
      readAccount(sub) === undefined ? undefined : { accountId: sub, claims: () => ({ sub }) },
    interactions: { url: (_ctx, interaction) => `${oauthPaths.consent}/${interaction.uid}` },
    loadExistingGrant: (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId)
    },
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => true,
    renderError: parts.renderError,
    ttl: {
      AccessToken: (ctx) => Math.min(accessTokenSeconds, secondsLeft(ctx)),
      RefreshToken: secondsLeft,
      AuthorizationCode: codeSeconds,
      Interaction: consentSeconds,
      Session: codeSeconds,
      Grant: accessTokenSeconds
    }
  }
}

const features = (parts: ConfigurationParts, resource: string): NonNullable<Configuration["features"]> => ({
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
  registration: { enabled: true, issueRegistrationAccessToken: false, idFactory: parts.newClientId },
  clientIdMetadataDocument: {
    enabled: true,
    ack: "draft-02",
    allowFetch: parts.mayFetch,
    allowClient: () => true,
    cacheDuration: documentSeconds
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => resource,
    useGrantedResource: () => true,
    getResourceServerInfo: (_ctx, asked) => {
      if (asked !== resource) throw new errors.InvalidTarget()
      return { scope: oauthScopes.join(" "), accessTokenFormat: "opaque" }
    }
  }
})

const unusedAlgorithm = "EdDSA"

/** The library takes no client without an algorithm that it has a key for; this one signs nothing, ever. */
const unusedKey = () => ({
  ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }),
  alg: unusedAlgorithm
})

/** A token ends with its grant, 30 days after the consent, at the latest (§8). */
const secondsLeft = (ctx: KoaContextWithOIDC): number => {
  const endsAt = ctx.oidc.entities.Grant?.exp ?? 0
  return Math.max(1, endsAt - Math.floor(Date.now() / 1_000))
}
