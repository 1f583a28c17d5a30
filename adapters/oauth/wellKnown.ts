import * as HttpServerResponse from "effect/http/HttpServerResponse"
import {
  authorizationServerMetadata,
  metadataRoutes,
  oauthMetadataPaths,
  protectedResourceMetadata
} from "../../core/oauth/metadata.ts"
import type { ResourcePlace } from "../../core/oauth/resource.ts"
import { calledBaseUrl } from "../../core/oauth/resource.ts"

interface MetadataRequest {
  readonly method: string
  readonly path: string
  readonly host: string | undefined
}

/** Returns the document by which a client finds its way (RFC 8414, RFC 9728); undefined for another path. */
export const wellKnown = (
  place: ResourcePlace,
  { host, method, path }: MetadataRequest
): HttpServerResponse.HttpServerResponse | undefined => {
  if (!isMetadataPath(path)) return undefined
  if (method === "OPTIONS") return preflight
  const document = documents(place, host).find(({ paths }) => paths.some((known) => known === path))
  if (document === undefined || (method !== "GET" && method !== "HEAD")) return absent
  return HttpServerResponse.text(JSON.stringify(document.body), {
    headers: {
      ...shared,
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
      vary: "Host"
    },
    contentType: "application/json"
  })
}

const documents = (place: ResourcePlace, host: string | undefined) => {
  const { baseUrl } = place
  return [
    { paths: oauthMetadataPaths.server, body: authorizationServerMetadata(baseUrl) },
    {
      paths: oauthMetadataPaths.resource,
      body: protectedResourceMetadata(baseUrl, calledBaseUrl(place, host))
    }
  ]
}

const isMetadataPath = (path: string): boolean =>
  metadataRoutes.some((route) => `${path}/`.startsWith(route.slice(0, -1)))

const shared = { "access-control-allow-origin": "*" } as const

/** The HTTP surface adds the body. */
const absent = HttpServerResponse.empty({ status: 404, headers: shared })

const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    ...shared,
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    "access-control-max-age": "3600"
  }
})
