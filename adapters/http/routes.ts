import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { urlLengthMax } from "../../core/admission/body.ts"
import { refused } from "../../core/error/Refusal.ts"
import type { Refusal } from "../../core/error/Refusal.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { isOn, surfacePrefix } from "../../core/operation/Operation.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import { fieldFault, refusedFields } from "../../core/operation/validate.ts"
import type { makeCall } from "../../core/workflow/call.ts"
import type { makeOpening } from "../../core/workflow/opening.ts"
import { refuse, seal } from "../../core/workflow/reply.ts"
import type { Edge, Route } from "./Edge.ts"

/** What the routes are made of. */
export interface Parts {
  readonly call: Effect.Success<ReturnType<typeof makeCall>>
  readonly opening: Effect.Success<typeof makeOpening>
  readonly edge: Edge
}

/**
 * One route for each row of the catalogue on each surface that has it. A caller who disconnects interrupts
 * nothing (contract §1).
 */
export const addRoutes = (router: HttpRouter.HttpRouter, parts: Parts) =>
  Effect.forEach(
    surfaces,
    (surface) =>
      Effect.forEach(
        operationIds.filter((operation) => isOn(surface, operationRow(operation))),
        (operation) => {
          const row = operationRow(operation)
          const path = `${surfacePrefix[surface]}${row.path.replaceAll(/\{(\w+)\}/g, ":$1")}` as `/${string}`
          const route: Route = { operation, surface }
          return router.add(row.method, path, handle(route, parts), { uninterruptible: true })
        },
        { discard: true }
      ),
    { discard: true }
  )

const surfaces: ReadonlyArray<Surface> = ["live", "sandbox"]

const handle =
  (route: Route, { call, opening, edge }: Parts) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.clockWith((clock) =>
      Effect.flatMap(HttpRouter.RouteContext, ({ params }) => {
        const envelope = opening(clock.currentTimeMillisUnsafe())
        const wrong = edge.hasHost(request) ? urlRefusal(request.url, params) : malformed
        if (wrong !== undefined) return edge.send(request, seal(envelope, refuse(envelope, wrong)))
        return Effect.flatMap(call(edge.read(route, request, params), envelope), (answer) =>
          edge.send(request, answer)
        )
      })
    )

/** What the router lets through: an over-long URL, `;` taken for `?`, a path whose last step is empty. */
const urlRefusal = (
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
