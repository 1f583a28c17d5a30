import { oauthScopes } from "./TokenHolder.ts"

/** Where the authorization server answers, beneath BASE_URL. */
export const oauthPaths = {
  authorize: "/oauth/authorize",
  consent: "/oauth/consent",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke"
} as const

/**
 * The paths of the metadata (RFC 8414 §3, RFC 9728 §3.1). Each is also served with the path of /mcp as a
 * suffix, which clients try first, and below /mcp, where older ones look.
 */
export const oauthMetadataPaths = {
  server: [
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/oauth-authorization-server/mcp/",
    "/mcp/.well-known/oauth-authorization-server"
  ],
  resource: [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource/mcp/",
    "/mcp/.well-known/oauth-protected-resource"
  ]
} as const

/**
 * All paths where clients look for metadata, as the router writes them. Those without a document (OpenID,
 * which is off, and other resources) return 404 with CORS headers, so that a client in a browser goes on.
 */
export const metadataRoutes = [
  "/.well-known/oauth-authorization-server/*",
  "/.well-known/oauth-protected-resource/*",
  "/.well-known/openid-configuration/*",
  "/mcp/.well-known/*"
] as const

/** The one resource that tokens are for (RFC 8707); `baseUrl` has no slash at its end. */
export const resourceOf = (baseUrl: string): string => `${baseUrl}/mcp`

/** RFC 8414 §2, RFC 9207 §3 and the draft of client-id metadata documents: what the server does, no more. */
export const authorizationServerMetadata = (baseUrl: string) =>
  ({
    issuer: baseUrl,
    authorization_endpoint: baseUrl + oauthPaths.authorize,
    token_endpoint: baseUrl + oauthPaths.token,
    registration_endpoint: baseUrl + oauthPaths.register,
    revocation_endpoint: baseUrl + oauthPaths.revoke,
    scopes_supported: oauthScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/docs`
  }) as const

/** RFC 9728 §2. The client called `calledUrl`; the authorization server is always at BASE_URL. */
export const protectedResourceMetadata = (baseUrl: string, calledUrl = baseUrl) =>
  ({
    resource: resourceOf(calledUrl),
    resource_name: "Coverage-Policy API",
    authorization_servers: [baseUrl],
    scopes_supported: oauthScopes,
    bearer_methods_supported: ["header"],
    resource_documentation: `${baseUrl}/docs/mcp`
  }) as const
