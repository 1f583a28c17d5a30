import { gunzipSync, gzipSync } from "node:zlib"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Settings } from "../../../core/port/Settings.ts"
import { qualities } from "../../../core/admission/decode.ts"
import { assetOf, assetsPath } from "./assets.ts"
import type { Content, DocumentSite } from "./Content.ts"
import { documents } from "./documents.ts"

/**
 * One route for each document, and one for what pages load. A document is read when it is first asked for,
 * so that the start waits for none of them.
 */
export const addDocs = (router: HttpRouter.HttpRouter) =>
  Effect.gen(function* () {
    const { baseUrl, supportUrl } = yield* Settings
    const startedMs = yield* Clock.currentTimeMillis
    yield* Effect.forEach(
      documents,
      ({ path, write }) =>
        router.add(
          "GET",
          path,
          once(() => write({ baseUrl, supportUrl, startedMs }))
        ),
      { discard: true }
    )
    const assets = new Map<string, Handler>()
    yield* router.add("GET", `${assetsPath}/:name`, (request) =>
      Effect.flatMap(HttpRouter.RouteContext, ({ params }) => {
        const name = params["name"] ?? ""
        const handler = assets.get(name) ?? once(() => assetOf(name))
        return Effect.tap(handler(request), ({ status }) =>
          Effect.sync(() => (status === 200 ? assets.set(name, handler) : undefined))
        )
      })
    )
  })

/** Returns the handler of one guide, for an address other than the guide's own. */
export const guideHandler = (path: `/docs/${string}`, site: DocumentSite): Handler =>
  once(() => documents.find((document) => document.path === path)?.write(site))

type Handler = (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Asks once for the content and keeps it as it is sent. What is not there is asked for again. */
const once = (make: () => Content | undefined | Promise<Content | undefined>): Handler => {
  let ready: Promise<Sendable | undefined> | undefined
  return ({ headers }) =>
    Effect.promise(async () => {
      ready ??= Promise.resolve(make()).then((content) => content && sendable(content))
      const sending = await ready
      if (sending === undefined) ready = undefined
      return sending === undefined
        ? HttpServerResponse.empty({ status: 404 })
        : sending(takesGzip(headers["accept-encoding"]))
    })
}

/** Whether a caller accepts gzip, by its name or by `*`; a quality of 0 refuses it (RFC 9110 §12.5.3). */
const takesGzip = (header = ""): boolean => {
  const weights = qualities(header)
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0
}

type Sendable = (packed: boolean) => HttpServerResponse.HttpServerResponse

const sendable = ({ body, contentType, headers, packed }: Content): Sendable => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  const forms = {
    gzip: packed === "gzip" ? bytes : gzipSync(bytes),
    plain: undefined as Uint8Array | undefined
  }
  const plain = () => {
    forms.plain ??= packed === "gzip" ? gunzipSync(bytes) : bytes
    return forms.plain
  }
  const standing = { ...headers, "x-content-type-options": "nosniff", vary: "Accept-Encoding" }
  return (isPacked) =>
    HttpServerResponse.uint8Array(isPacked ? forms.gzip : plain(), {
      contentType,
      headers: isPacked ? { ...standing, "content-encoding": "gzip" } : standing
    })
}
