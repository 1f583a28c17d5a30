import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { noBody } from "../admission/body.ts"
import type { BodyReading } from "../admission/body.ts"
import { operationRow } from "../operation/catalogue.ts"
import { provokedBy } from "../sandbox/provoke.ts"
import type { CallRequest } from "./CallRequest.ts"
import type { Envelope } from "./reply.ts"

/** The refusal that a sandbox request asks for, if any, and the request with its body already read. */
export const readProvocation = Effect.fnUntraced(function* (request: CallRequest, envelope: Envelope) {
  const row = operationRow(request.operation)
  const body: BodyReading = row.body === undefined ? noBody : yield* request.readBody
  const { params, query } = request
  const spoken = { params, query, body: body._tag === "Text" ? body.text : "" }
  const nowMs = DateTime.makeUnsafe(envelope.now).epochMilliseconds
  const asked: CallRequest = { ...request, readBody: Effect.succeed(body) }
  return { asked, provoked: provokedBy(spoken, { row, nowMs }) }
})
