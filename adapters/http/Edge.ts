import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { OperationId } from "../../core/operation/catalogue.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import type { CallRequest } from "../../core/workflow/CallRequest.ts"
import type { Answer } from "../../core/workflow/reply.ts"

/** Where a route leads. */
export interface Route {
  readonly operation: OperationId
  readonly surface: Surface
}

/** How one runtime's requests are read and its answers sent: Node's server, or a fetch handler. */
export interface Edge {
  /** The parts of a request that the one path of every call looks at. */
  readonly read: (
    route: Route,
    request: HttpServerRequest.HttpServerRequest,
    params: Readonly<Record<string, string | undefined>>
  ) => CallRequest
  /** HTTP/1.1 demands a Host; Node lets a request without one through, to be judged like the rest. */
  readonly hasHost: (request: HttpServerRequest.HttpServerRequest) => boolean
  readonly send: (
    request: HttpServerRequest.HttpServerRequest,
    answer: Answer
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}
