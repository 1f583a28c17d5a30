import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { makeNewEnvelope } from "../../core/call/answer.ts"
import type { makePipeline } from "../../core/call/pipeline.ts"
import { operationRow } from "../../core/operation/catalogue.ts"
import { loggedMeter } from "./accessLog.ts"
import type { AccessLog } from "./accessLog.ts"
import type { Edge } from "./Edge.ts"
import { makeMeter, pathOf, routes } from "./Route.ts"
import type { Meter, Route } from "./Route.ts"
import type { CallTracer } from "./tracing.ts"

/** What the routes are made of. */
export interface Parts {
  readonly pipeline: Effect.Success<ReturnType<typeof makePipeline>>
  readonly newEnvelope: Effect.Success<typeof makeNewEnvelope>
  readonly edge: Edge
  readonly tracing: CallTracer
  /** Absent: no access log. */
  readonly accessLog?: AccessLog | undefined
}

/**
 * One route for each row of the catalogue on each surface that has it. A caller who disconnects interrupts
 * nothing (contract §1).
 */
export const addRoutes = (router: HttpRouter.HttpRouter, parts: Parts) =>
  Effect.flatMap(makeMeter, (metering) =>
    Effect.forEach(
      routes,
      (route) => {
        const handler = handle(route, parts, loggedMeter(parts.accessLog)(metering(route), route))
        return router.add(operationRow(route.operation).method, pathOf(route), handler, {
          uninterruptible: true
        })
      },
      { discard: true }
    )
  )

const handle = (route: Route, { pipeline, newEnvelope, edge, tracing }: Parts, meter: Meter) => {
  const calls = pipeline.operation(route.operation, route.surface)
  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const { params } = yield* HttpRouter.RouteContext
    const envelope = newEnvelope(yield* Clock.currentTimeMillis)
    const startedMs = performance.now()
    const called = calls.answer(edge.read(request, params), envelope)
    const answer = yield* tracing(route, envelope, request, called)
    meter(answer, performance.now() - startedMs)
    return yield* edge.send(request, answer)
  })
}
