import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { refuse } from "../../core/call/answer.ts"
import { refused } from "../../core/error/Refusal.ts"
import type { Parts } from "./routes.ts"

/** Where load balancers ask whether to send calls to this process. */
export const readyPath = "/ready"

/** Answers as `GET /health` does, and with 503 from the moment the process drains (contract §4). */
export const readyRoute =
  ({ pipeline, newEnvelope, edge }: Parts, isDraining: () => boolean) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.gen(function* () {
      const envelope = newEnvelope(yield* Clock.currentTimeMillis)
      const health = pipeline.operation("health", "live")
      const answer = isDraining()
        ? refuse(envelope, refused("SERVER_UNAVAILABLE", {}))
        : yield* health.answer(edge.read(request, {}), envelope)
      return yield* edge.send(request, answer)
    })
