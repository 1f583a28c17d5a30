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
 * Written to Node's response itself, since several `Set-Cookie` lines that another wrote are to be sent as
 * they are. HEAD gets the headers of GET.
 */
export const send = (
  request: HttpServerRequest.HttpServerRequest,
  { cookies, headers, status, text }: Reply
): HttpServerResponse.HttpServerResponse => {
  const response = toServerResponse(request) as ServerResponse
  // The caller may be gone by now.
  if (response.destroyed) return sent
  const length = { "content-length": String(Buffer.byteLength(text)) }
  response.writeHead(status, {
    ...headers,
    ...length,
    ...(cookies.length === 0 ? {} : { "set-cookie": [...cookies] })
  })
  response.end(request.method === "HEAD" ? undefined : text)
  return sent
}

/** What the router is given in place of a response: it sees that one has been written, and leaves it. */
const sent = HttpServerResponse.empty()
