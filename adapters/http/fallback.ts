import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { urlLengthMax } from "../../core/admission/body.ts"
import { refused } from "../../core/error/Refusal.ts"
import type { Refusal } from "../../core/error/Refusal.ts"
import { notOfferedHint } from "../../core/operation/notOffered.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import { notStored, refuse, reflectOrigin } from "../../core/call/answer.ts"
import type { Answer } from "../../core/call/Call.ts"
import { openToAll } from "./openToAll.ts"
import { tooLong } from "./line.ts"
import type { Parts } from "./routes.ts"

const publicPrefix = "/api/public/v1"
const isUnder = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

/** What is shown to a caller instead of the envelope of a path that is unknown; undefined: nothing is. */
export type NotFoundPage = (
  request: HttpServerRequest.HttpServerRequest,
  requestId: string
) => HttpServerResponse.HttpServerResponse | undefined

/**
 * What no route answers: a preflight on an API path, the keyless surface that is closed, and the unknown
 * (step 1 of the checks); and whatever a route failed to handle. Every response passes here before it is
 * sent, so that none, of whatever origin, leaves as a bare status. `missing` may answer the unknown
 * otherwise.
 */
export const addFallback = (
  router: HttpRouter.HttpRouter,
  { newEnvelope, edge }: Parts,
  missing?: NotFoundPage
) =>
  router.addGlobalMiddleware((effect) =>
    HttpEffect.withPreResponseHandler(effect, (request, response) => {
      if (response.status < 400 || isOurs(response)) return Effect.succeed(response)
      return Effect.gen(function* () {
        const path = request.url.split("?", 1)[0] ?? ""
        const { origin } = request.headers
        if (request.method === "OPTIONS") {
          if (isApi(path)) return preflight(origin)
          if (isUnder(publicDocuments, path)) return openPreflight
        }
        const envelope = newEnvelope(yield* Clock.currentTimeMillis)
        const refusal = refusalOf(response.status, request.url, path)
        const page =
          refusal.code === "RESOURCE_NOT_FOUND" ? missing?.(request, envelope.requestId) : undefined
        if (page !== undefined) return page
        const { headers, ...answer } = refuse(envelope, refusal)
        return yield* edge.send(request, { ...answer, headers: { ...headers, ...corsAt(path, origin) } })
      })
    })
  )

/** What says something is somebody's answer: only a bare status is taken for what no route handled. */
const isOurs = ({ headers, body }: HttpServerResponse.HttpServerResponse): boolean =>
  headers["x-request-id"] !== undefined || body._tag !== "Empty"

const isApi = (path: string): boolean => Object.values(surfacePrefix).some((prefix) => isUnder(prefix, path))

/** Where clients look for metadata, some of which does not exist: pages of every origin may see that. */
const publicDocuments = "/.well-known"

/** CORS headers of an unknown path (contract §1); a live call's depend on its key, which is not read here. */
const corsAt = (path: string, origin: string | undefined): Answer["headers"] => {
  if (isUnder(surfacePrefix.sandbox, path)) return reflectOrigin(origin)
  return isApi(path) ? {} : openToAll
}

const refusalOf = (status: number, url: string, path: string): Refusal => {
  if (url.length > urlLengthMax) return tooLong
  if (isUnder(publicPrefix, path)) return refused("COMMERCIAL_SURFACE_UNAVAILABLE")
  if (status === 503) return refused("SERVER_UNAVAILABLE", {})
  return status === 404
    ? refused("RESOURCE_NOT_FOUND", undefined, notOfferedHint(path))
    : refused("SERVER_INTERNAL_ERROR")
}

/** Contract §1, CORS: without credential or limit. */
const preflight = (origin: string | undefined) =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      ...notStored,
      ...(origin === undefined ? {} : { "access-control-allow-origin": origin }),
      "access-control-allow-methods": "GET, POST, PATCH, DELETE",
      "access-control-allow-headers": "authorization, content-type, x-idempotency-key, idempotency-key",
      "access-control-max-age": "600",
      vary: "Origin"
    }
  })

const openPreflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    ...openToAll,
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    "access-control-max-age": "3600"
  }
})
