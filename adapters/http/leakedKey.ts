import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Parts } from "./routes.ts"

/** What is read of it is what is read of a request to any operation. */
const reading = { operation: "health", surface: "live" } as const

/** `POST` at `leakedKeyPath` (core/call/leakedKey.ts). */
export const leakedKeyRoute =
  ({ pipeline, opening, edge }: Parts) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      Effect.flatMap(pipeline.leakedKey(edge.read(reading, request, {}), opening(nowMs)), (answer) =>
        edge.send(request, answer)
      )
    )
