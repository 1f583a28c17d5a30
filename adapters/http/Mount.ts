import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Paths that another surface answers: people's pages, OAuth, MCP. */
export interface Mount {
  /** Patterns of the router; a trailing `/*` matches every path below. */
  readonly paths: ReadonlyArray<`/${string}`>
  /** The path of the guide that a browser without a credential gets at these addresses; absent: none. */
  readonly guide?: `/docs/${string}`
  readonly handle: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}
