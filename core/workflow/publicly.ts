import * as Effect from "effect/Effect"
import type { DecodedInput } from "../admission/decode.ts"
import { decodeInput } from "../admission/decode.ts"
import type { Provoked } from "../admission/gates.ts"
import { isRefusal } from "../error/Refusal.ts"
import { keyRefusal } from "../idempotency/key.ts"
import { addressSubject } from "../limit/subject.ts"
import { operationRow } from "../operation/catalogue.ts"
import type { PublicId } from "../operation/catalogue.ts"
import { testKeyLimits } from "../organization/pack.ts"
import { isUnreadable } from "../sandbox/provoke.ts"
import type { CallRequest } from "./CallRequest.ts"
import type { Desks } from "./desk.ts"
import { makeEntering } from "./entering.ts"
import type { AnyHandler } from "./Handler.ts"
import { makePublicHandlers } from "./handlers.ts"
import { readProvocation } from "./provoking.ts"
import { refuse } from "./reply.ts"
import type { Envelope } from "./reply.ts"
import { nobody, unpaged } from "./run.ts"

/**
 * A call that takes no credential (§4.1, §5.6): any Authorization is ignored, and nothing is spent. Where the
 * row says so the caller's address is limited, and the steps from 5 on are those of every call.
 */
export const makePublicly = (desks: Desks) =>
  Effect.gen(function* () {
    const entering = yield* makeEntering
    const handlers = yield* makePublicHandlers
    const { run } = desks.live

    const answered = (request: CallRequest, envelope: Envelope, input: DecodedInput) => {
      const handler = handlers[request.operation as PublicId] as AnyHandler
      return run.answer(request, envelope, unpaged(input, nobody), handler)
    }

    /** Steps 8 to 11, inside the concurrency slot of the address. */
    const admitted = Effect.fnUntraced(function* (
      request: CallRequest,
      envelope: Envelope,
      provoked: Provoked | undefined
    ) {
      const input = decodeInput(request.operation, request, yield* request.readBody)
      const found = provoked === undefined || isUnreadable(input) ? input : provoked.refusal
      if (isRefusal(found)) return refuse(envelope, found)
      const { idempotencyKey } = request
      const misnamed = idempotencyKey === undefined ? undefined : keyRefusal(idempotencyKey)
      if (misnamed !== undefined) return refuse(envelope, misnamed)
      // Whoever gets a key calls next: the fixtures are made ready behind the answer.
      yield* Effect.forkDetach(Effect.ignoreCause(desks.sandbox))
      return yield* answered(request, envelope, found)
    })

    const sandboxed = Effect.fnUntraced(function* (request: CallRequest, envelope: Envelope) {
      const { asked, provoked } = yield* readProvocation(request, envelope)
      if (operationRow(asked.operation).perAddress !== true) {
        if (provoked !== undefined) return refuse(envelope, provoked.refusal)
        return yield* answered(asked, envelope, nothing)
      }
      if (provoked !== undefined && provoked.step < 5) return refuse(envelope, provoked.refusal)
      const subject = addressSubject(asked.address)
      const entry = { subject, requestId: envelope.requestId, cost: 1, policy: testKeyLimits }
      return yield* entering(entry, envelope, provoked, (restore) =>
        restore(admitted(asked, envelope, provoked))
      )
    })

    return (request: CallRequest, envelope: Envelope) =>
      request.surface === "live" ? answered(request, envelope, nothing) : sandboxed(request, envelope)
  })

const nothing: DecodedInput = { params: {}, query: {}, body: {} }
