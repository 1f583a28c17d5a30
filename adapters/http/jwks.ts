import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Signatures } from "../../core/port/Signatures.ts"
import { faultRefusal } from "../../core/call/fault.ts"
import { refuse } from "../../core/call/answer.ts"
import { openToAll } from "./openToAll.ts"
import type { Parts } from "./routes.ts"

/**
 * /.well-known/jwks.json (RFC 7517): the public keys that releases are verified by, those of old signatures
 * too.
 */
export const jwks =
  (signing: Signatures["Service"], { newEnvelope, edge }: Parts) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    Effect.gen(function* () {
      const envelope = newEnvelope(yield* Clock.currentTimeMillis)
      const answer = yield* Effect.match(signing.publicKeys, {
        onSuccess: (keys) => ({
          status: 200,
          headers: { "x-request-id": envelope.requestId, ...published },
          body: JSON.stringify({ keys })
        }),
        onFailure: (unavailable) => refuse(envelope, faultRefusal(unavailable))
      })
      return yield* edge.send(request, answer)
    })

const published = {
  "content-type": "application/jwk-set+json",
  "cache-control": "public, max-age=300",
  ...openToAll
}
