import * as Effect from "effect/Effect"
import { decodeInput } from "../../core/admission/decode.ts"
import type { IsoDate, IsoTime } from "../../core/coverage/date.ts"
import { isRefusal } from "../../core/error/Refusal.ts"
import type { AnyHandler, CallContext } from "../../core/handler/Handler.ts"
import { makeLibraryHandlers } from "../../core/handler/handlers.ts"
import { nobody } from "../../core/call/party.ts"

/** The day of every question; one without a date of service is about it. */
const today = "2026-03-12"

/** What is asked of an operation: a body, or the members of a query or path. */
export interface OperationRequest {
  readonly operation: keyof Effect.Success<typeof makeLibraryHandlers>
  readonly body?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
}

/** Asks an operation as a caller would from the decoding of its input on; a refusal is its code. */
export const makeAsk = Effect.map(
  makeLibraryHandlers,
  (handlers) =>
    ({ body, operation, params = {}, query = {} }: OperationRequest) =>
      Effect.gen(function* () {
        const sent = { accept: undefined, contentType: "application/json", contentEncoding: undefined }
        const text = { _tag: "Text" as const, text: body === undefined ? "" : JSON.stringify(body) }
        const input = decodeInput(operation, { ...sent, params, query }, text)
        if (isRefusal(input)) return { refusal: input.code as string, data: undefined }
        const outcome = yield* (handlers[operation] as AnyHandler)(input, context)
        if (isRefusal(outcome)) return { refusal: outcome.code as string, data: undefined }
        return { refusal: undefined, data: outcome._tag === "Data" ? outcome.data : undefined }
      })
)

const context: CallContext = {
  now: `${today}T12:00:00.000Z` as IsoTime,
  today: today as IsoDate,
  position: null,
  requestId: "req_asked",
  caller: nobody.caller
}
