import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { makeLeakedKey } from "../../core/workflow/leakedKey.ts"
import type { Parts } from "./routes.ts"

/** Where whoever found a key shows it. */
export const leakedKeyPath = "/security/leaked-key"

/** What is read of it is what is read of a request to any operation. */
const reading = { operation: "health", surface: "live" } as const

/** `POST` at `leakedKeyPath` (core/workflow/leakedKey.ts). */
export const leakedKeyRoute =
  (leakedKey: Effect.Success<typeof makeLeakedKey>, { opening, edge }: Parts) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      Effect.flatMap(leakedKey(edge.read(reading, request, {}), opening(nowMs)), (answer) =>
        edge.send(request, answer)
      )
    )
