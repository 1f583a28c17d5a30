import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Parts } from "./routes.ts"

/** `POST` at `leakedKeyPath` (core/call/leakedKey.ts). */
export const leakedKeyRoute =
  ({ pipeline, newEnvelope, edge }: Parts) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      Effect.flatMap(pipeline.leakedKey.answer(edge.read(request, {}), newEnvelope(nowMs)), (answer) =>
        edge.send(request, answer)
      )
    )
