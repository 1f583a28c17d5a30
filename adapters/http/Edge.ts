import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Answer, CallRequest } from "../../core/call/Call.ts"

/** How one runtime's requests are read and its answers sent: Node's server, or a fetch handler. */
export interface Edge {
  /** The parts of a request that the one path of every call looks at. */
  readonly read: (
    request: HttpServerRequest.HttpServerRequest,
    params: Readonly<Record<string, string | undefined>>
  ) => CallRequest
  readonly send: (
    request: HttpServerRequest.HttpServerRequest,
    answer: Answer
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}
