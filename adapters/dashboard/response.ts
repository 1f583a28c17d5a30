import type { ServerResponse } from "node:http"
import { toServerResponse } from "@effect/platform-node/NodeHttpServerRequest"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** What goes over the wire. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `Set-Cookie` lines. */
  readonly cookies: ReadonlyArray<string>
  readonly text: string
}

/**
 * Writes to Node's response itself, because `Set-Cookie` lines of the auth library are sent unchanged. HEAD
 * gets the headers of GET.
 */
export const send = (
  request: HttpServerRequest.HttpServerRequest,
  { cookies, headers, status, text }: Reply
): HttpServerResponse.HttpServerResponse => {
  const response = toServerResponse(request) as ServerResponse
  // The caller may have disconnected.
  if (response.destroyed) return alreadySent
  response.writeHead(status, {
    ...headers,
    "content-length": String(Buffer.byteLength(text)),
    ...(cookies.length > 0 && { "set-cookie": [...cookies] })
  })
  response.end(request.method === "HEAD" ? undefined : text)
  return alreadySent
}

/** The server leaves a response alone that is already written. */
const alreadySent = HttpServerResponse.empty()

/** The security headers of every page and redirect. `formOrigins` may receive its forms besides us. */
export const securityHeaders = (
  { requestId }: { readonly requestId?: string },
  formOrigins: ReadonlyArray<string> = []
): Readonly<Record<string, string>> => ({
  ...(requestId !== undefined && { "x-request-id": requestId }),
  "content-security-policy": contentSecurityPolicy(formOrigins),
  "cache-control": "no-store",
  // Not `no-referrer`: with it, browsers send `Origin: null` with our own forms.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-resource-policy": "same-origin"
})

export const isHttps = (baseUrl: string): boolean => baseUrl.startsWith("https:")

/** Everything comes from us, and nothing runs inline. */
const contentSecurityPolicy = (formOrigins: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...formOrigins.filter((origin) => plainOrigin.test(origin))].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")

/** Leaves out an origin that could end the directive and begin another. */
const plainOrigin = /^[a-z][a-z0-9+.-]*:(\/\/[A-Za-z0-9.\-[\]:]*)?$/
