import * as HttpServerResponse from "effect/http/HttpServerResponse"
import {
  authorizationServerMetadata,
  oauthMetadataPaths,
  protectedResourceMetadata
} from "../../core/oauth/metadata.ts"

export const metadataPaths = Object.values(oauthMetadataPaths)

/** The documents by which a client finds its way (RFC 8414, RFC 9728); undefined: another path. */
export const wellKnown = (
  baseUrl: string,
  method: string,
  path: string
): HttpServerResponse.HttpServerResponse | undefined => {
  if (!metadataPaths.some((known) => known === path)) return undefined
  if (method === "OPTIONS") return preflight
  if (method !== "GET" && method !== "HEAD") return HttpServerResponse.empty({ status: 404 })
  const document =
    path === oauthMetadataPaths.server
      ? authorizationServerMetadata(baseUrl)
      : protectedResourceMetadata(baseUrl)
  return HttpServerResponse.text(JSON.stringify(document), {
    headers: { ...shared, "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" },
    contentType: "application/json"
  })
}

const shared = { "access-control-allow-origin": "*" } as const

const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    ...shared,
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    "access-control-max-age": "3600"
  }
})
