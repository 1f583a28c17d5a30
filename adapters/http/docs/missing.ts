import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { html } from "../../html/html.ts"
import { statusPath } from "./navigation.ts"
import { page } from "./page.ts"
import { prefersHtml } from "./prefersHtml.ts"

/**
 * What a browser is shown where nothing is, in the frame of the documentation; undefined: the caller asks
 * for an API, or did not ask for HTML rather than JSON, and gets the envelope of every error.
 */
export const notFoundPage = (
  { headers, method, url }: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method" | "url">,
  requestId: string
): HttpServerResponse.HttpServerResponse | undefined => {
  if (isOfApi(url) || !["GET", "HEAD"].includes(method) || !prefersHtml(headers["accept"])) return undefined
  return HttpServerResponse.text(written.body, {
    status: 404,
    contentType: written.contentType,
    headers: {
      ...written.headers,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      vary: "Accept"
    }
  })
}

/** Whatever case it is written in: it was meant for the API. */
const isOfApi = (url: string): boolean => /^\/api(?:[/?]|$)/i.test(url)

const written = page(
  "",
  "Page not found",
  html`<p>There is nothing at this address. It may be mistyped, or the page may have moved.</p>
<ul><li><a href="/docs">The reference</a> of every operation, and from there all of the documentation</li>
<li><a href="${statusPath}">Status</a>: how the service is now</li>
<li><a href="/">The front page</a></li></ul>`
)
