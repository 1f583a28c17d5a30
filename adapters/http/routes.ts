import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { urlLengthMax } from "../../core/admission/body.ts"
import { refused } from "../../core/error/Refusal.ts"
import type { Refusal } from "../../core/error/Refusal.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { deprecationHeaders } from "../../core/operation/deprecation.ts"
import { isOn, surfacePrefix } from "../../core/operation/Operation.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import { fieldFault, refusedFields } from "../../core/operation/validate.ts"
import type { makeCall } from "../../core/workflow/call.ts"
import type { makeOpening } from "../../core/workflow/opening.ts"
import { refuse, seal } from "../../core/workflow/reply.ts"
import type { Envelope } from "../../core/workflow/reply.ts"
import type { Edge, Route } from "./Edge.ts"
import { makeMetering } from "./metering.ts"
import type { Meter } from "./metering.ts"
import type { Tracing } from "./tracing.ts"

/** What the routes are made of. */
export interface Parts {
  readonly call: Effect.Success<ReturnType<typeof makeCall>>
  readonly opening: Effect.Success<typeof makeOpening>
  readonly edge: Edge
  readonly tracing: Tracing
}

/**
 * One route for each row of the catalogue on each surface that has it. A caller who disconnects interrupts
 * nothing (contract §1).
 */
export const addRoutes = (router: HttpRouter.HttpRouter, parts: Parts) =>
  Effect.flatMap(makeMetering, (metering) =>
    Effect.forEach(
      routes,
      (route) => {
        const handler = handle(route, parts, metering(route))
        return router.add(operationRow(route.operation).method, pathOf(route), handler, {
          uninterruptible: true
        })
      },
      { discard: true }
    )
  )

const surfaces: ReadonlyArray<Surface> = ["live", "sandbox"]

/** Every row of the catalogue on every surface that has it. */
export const routes: ReadonlyArray<Route> = surfaces.flatMap((surface) =>
  operationIds
    .filter((operation) => isOn(surface, operationRow(operation)))
    .map((operation) => ({ operation, surface }))
)

/** A step that a row's path leaves open. */
const openStep = /\{(\w+)\}/g

/** The path of a route as routers take it. */
export const pathOf = ({ operation, surface }: Route): `/${string}` => {
  const path = operationRow(operation).path.replaceAll(openStep, ":$1")
  return `${surfacePrefix[surface]}${path}` as `/${string}`
}

/**
 * The steps of a path that the router found, as an object like any other: its own has no prototype, and V8
 * looks into such a one the slow way, each time it is asked.
 */
export const paramsOf = ({ operation }: Route) => {
  const names = Array.from(operationRow(operation).path.matchAll(openStep), ([, name = ""]) => name)
  return (
    found: Readonly<Record<string, string | undefined>>
  ): Readonly<Record<string, string | undefined>> => {
    const params: Record<string, string | undefined> = {}
    for (const name of names) params[name] = found[name]
    return params
  }
}

/** Opens the envelope of a route's calls, with what is said of a deprecated operation. */
export const envelopeOf =
  ({ operation }: Route, opening: Parts["opening"], { deprecated } = operationRow(operation)) =>
  (nowMs: number): Envelope => {
    const envelope = opening(nowMs)
    if (deprecated !== undefined)
      Object.assign(envelope.headers, deprecationHeaders(deprecated, envelope.publication.baseUrl))
    return envelope
  }

const handle = (
  route: Route,
  { call, opening, edge, tracing }: Parts,
  meter: Meter,
  open = envelopeOf(route, opening)
) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const { params } = yield* HttpRouter.RouteContext
    const envelope = open(yield* Clock.currentTimeMillis)
    const wrong = edge.hasHost(request) ? urlRefusal(request.url, params) : malformed
    if (wrong !== undefined) return yield* edge.send(request, seal(envelope, refuse(envelope, wrong)))
    const startedMs = performance.now()
    const called = call.answer(edge.read(route, request, params), envelope)
    const answer = yield* tracing(route, envelope, request, called)
    meter(answer, performance.now() - startedMs)
    return yield* edge.send(request, answer)
  })

/** What the router lets through: an over-long URL, `;` taken for `?`, a path whose last step is empty. */
export const urlRefusal = (
  url: string,
  params: Readonly<Record<string, string | undefined>>
): Refusal | undefined => {
  if (url.length > urlLengthMax) return tooLong
  const semicolon = url.indexOf(";")
  const question = url.indexOf("?")
  if (semicolon !== -1 && (question === -1 || semicolon < question)) return refused("RESOURCE_NOT_FOUND")
  for (const name in params) if (params[name] === "") return refused("RESOURCE_NOT_FOUND")
  return undefined
}

export const malformed = refusedFields([fieldFault("/", "invalid", "The request is not valid HTTP/1.1.")])

export const tooLong = refusedFields([
  fieldFault("/url", "out_of_range", `The URL is longer than ${urlLengthMax} characters.`)
])
