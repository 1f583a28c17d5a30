import * as Effect from "effect/Effect"
import type { BodyReading } from "../../../core/admission/body.ts"
import { bodyBytesMax, noBody } from "../../../core/admission/body.ts"
import type { CallRequest } from "../../../core/call/Call.ts"
import type { Edge } from "../Edge.ts"
import { readLine } from "../line.ts"

/** How a fetch handler's requests are read; a repeated header is one of all its values there already. */
export const fetchRead =
  (addressOf: (request: Request) => string): Edge["read"] =>
  ({ source, url }, params): CallRequest => {
    const request = source as Request
    const header = (name: string): string | undefined => request.headers.get(name) ?? undefined
    return {
      ...readLine(url, params),
      authorization: header("authorization"),
      origin: header("origin"),
      accept: header("accept"),
      contentType: header("content-type"),
      contentEncoding: header("content-encoding"),
      ifNoneMatch: header("if-none-match"),
      idempotencyKey: header("x-idempotency-key"),
      idempotencyAlias: header("idempotency-key"),
      address: addressOf(request),
      readBody: Effect.promise((signal) => readBody(request, signal))
    }
  }

/** Collects the body up to its limit; what comes after is not asked for. */
const readBody = async (request: Request, signal: AbortSignal): Promise<BodyReading> => {
  if (request.body === null) return noBody
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  let size = 0
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength
      if (size > bodyBytesMax || signal.aborted) return { _tag: "TooLarge" }
      text += decoder.decode(chunk, { stream: true })
    }
    return { _tag: "Text", text: text + decoder.decode() }
  } catch {
    return { _tag: "Malformed" }
  }
}
