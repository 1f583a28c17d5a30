import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { isOn, surfacePrefix } from "../../core/operation/Operation.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import type { makePipeline } from "../../core/call/pipeline.ts"
import type { makeOpening } from "../../core/call/opening.ts"
import type { Edge, Route } from "./Edge.ts"
import { makeMetering } from "./metering.ts"
import type { Meter } from "./metering.ts"
import type { Tracing } from "./tracing.ts"

/** What the routes are made of. */
export interface Parts {
  readonly pipeline: Effect.Success<ReturnType<typeof makePipeline>>
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

const handle = (route: Route, { pipeline, opening, edge, tracing }: Parts, meter: Meter) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const { params } = yield* HttpRouter.RouteContext
    const envelope = opening(yield* Clock.currentTimeMillis)
    const startedMs = performance.now()
    const called = pipeline.answer(edge.read(route, request, params), envelope)
    const answer = yield* tracing(route, envelope, request, called)
    meter(answer, performance.now() - startedMs)
    return yield* edge.send(request, answer)
  })
