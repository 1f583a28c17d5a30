import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Option from "effect/Option"
import type { Answer, Envelope } from "../../core/call/Call.ts"
import type { Route } from "./Route.ts"

/** What a call runs in. Nothing a caller sent stands in a span but the trace it belongs to (traceparent). */
export type CallTracer = (
  route: Route,
  envelope: Envelope,
  request: HttpServerRequest.HttpServerRequest,
  call: Effect.Effect<Answer>
) => Effect.Effect<Answer>

/** Where nothing is exported, a span would be work for nobody. */
export const withoutTrace: CallTracer = (_route, _envelope, _request, call) => call

/** A server span for each call, under the caller's own where it sent one. */
export const withTrace: CallTracer = ({ operation, surface }, { requestId }, { headers, method }, call) =>
  Effect.tap(call, ({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)).pipe(
    Effect.withSpan(`${method} ${operation}`, {
      kind: "server",
      parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(headers)),
      attributes: { operation, surface, request_id: requestId }
    })
  )
