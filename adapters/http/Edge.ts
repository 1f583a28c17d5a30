import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { OperationId } from "../../core/operation/catalogue.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import type { CallRequest } from "../../core/call/CallRequest.ts"
import type { Answer } from "../../core/call/reply.ts"

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
  readonly send: (
    request: HttpServerRequest.HttpServerRequest,
    answer: Answer
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}
