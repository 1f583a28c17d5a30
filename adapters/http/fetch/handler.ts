import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { Signatures } from "../../../core/port/Signatures.ts"
import { makeLibraries } from "../../../core/call/libraries.ts"
import { makePipeline } from "../../../core/call/pipeline.ts"
import { makeNewEnvelope } from "../../../core/call/answer.ts"
import type { Edge } from "../Edge.ts"
import { addFallback } from "../fallback.ts"
import { jwks } from "../jwks.ts"
import { addRoutes } from "../routes.ts"
import { routerConfig } from "../Route.ts"
import { withoutTrace } from "../tracing.ts"
import { fetchRead } from "./request.ts"

/** What the runtime around a fetch handler knows. */
export interface RuntimeFacts {
  /** The caller's address, as whatever stands before the handler tells it. */
  readonly addressOf: (request: Request) => string
}

/** Answers a request of the Fetch standard. */
export type FetchHandler = (request: Request) => Promise<Response>

/**
 * The same API for runtimes that bring their own server (a worker, an edge, a test): the catalogue's routes
 * and the one path of every call over the ports it is given, with nothing of Node's server in it. Packing
 * answers is left to that server. It answers until its scope ends.
 */
export const makeFetchHandler = ({ addressOf }: RuntimeFacts) =>
  Effect.gen(function* () {
    const newEnvelope = yield* makeNewEnvelope
    const pipeline = yield* makePipeline(yield* makeLibraries)
    const signing = yield* Signatures
    const edge: Edge = { read: fetchRead(addressOf), send }
    const parts = { pipeline, newEnvelope, edge, tracing: withoutTrace }
    const routes = HttpRouter.use((router) =>
      Effect.gen(function* () {
        yield* addRoutes(router, parts)
        yield* router.add("GET", "/.well-known/jwks.json", jwks(signing, parts))
        yield* addFallback(router, parts)
      })
    )
    const { handler } = yield* served(routes)
    return ((request) => handler(request)) satisfies FetchHandler
  })

const served = (routes: Layer.Layer<never, never, HttpRouter.HttpRouter>) =>
  Effect.acquireRelease(
    Effect.sync(() => HttpRouter.toWebHandler(routes, { disableLogger: true, routerConfig })),
    ({ dispose }) => Effect.promise(dispose)
  ) satisfies Effect.Effect<unknown, never, Scope>

const send: Edge["send"] = (_, { status, headers, body }) =>
  Effect.succeed(
    body === undefined
      ? HttpServerResponse.empty({ status, headers: { ...standing, ...headers } })
      : HttpServerResponse.text(body, {
          status,
          headers: { ...standing, ...headers },
          contentType: headers["content-type"] ?? "application/json"
        })
  )

const standing = { "x-content-type-options": "nosniff" }
