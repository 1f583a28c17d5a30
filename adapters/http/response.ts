import type { IncomingMessage, ServerResponse } from "node:http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { toServerResponse } from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Answer } from "../../core/workflow/reply.ts"
import { qualities } from "./qualities.ts"

/** A smaller body gains nothing by being packed (contract §1). */
const compressedBytesMin = 1_024

const encodings = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => deflate(bytes)
} as const
type Encoding = keyof typeof encodings

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** Headers of every answer, whatever it is: nothing of ours is to be guessed at or framed. */
const standing = { "x-content-type-options": "nosniff" }

/**
 * Sends an answer, packed when the caller takes that and it is worth it. It is written to Node's response
 * itself: an answer is a status, headers and a text already, and to make another response of them first costs
 * as much as to send it.
 */
export const httpResponse = (
  request: HttpServerRequest.HttpServerRequest,
  answer: Answer
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body, status } = answer
  const headers: Record<string, string> = { ...standing, ...answer.headers }
  const encoding =
    body !== undefined && body.length > compressedBytesMin ? varied(request, headers) : undefined
  if (body === undefined || encoding === undefined)
    return Effect.succeed(send(request, status, headers, body))
  return Effect.map(
    Effect.promise(() => encodings[encoding](Buffer.from(body))),
    (packed) => send(request, status, { ...headers, "content-encoding": encoding }, packed)
  )
}

const send = (
  request: HttpServerRequest.HttpServerRequest,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer | undefined
): HttpServerResponse.HttpServerResponse => {
  const response = toServerResponse(request) as ServerResponse
  // The caller may be gone by now.
  if (response.destroyed) return sent
  if (body !== undefined) headers["content-length"] = String(Buffer.byteLength(body))
  response.writeHead(status, headers)
  response.end(body)
  return sent
}

/** What the router is given in place of a response: it sees that one has been written, and leaves it. */
const sent = HttpServerResponse.empty()

/** Says that the answer depends on what is accepted, and how it is to be packed. */
const varied = (
  request: HttpServerRequest.HttpServerRequest,
  headers: Record<string, string>
): Encoding | undefined => {
  const vary = headers["vary"]
  headers["vary"] = vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`
  return preferredEncoding((request.source as IncomingMessage).headers["accept-encoding"]?.toString())
}

/** The best of what the caller accepts (RFC 9110 §12.5.3); brotli wins a tie. */
const preferredEncoding = (header: string | undefined): Encoding | undefined => {
  if (header === undefined) return undefined
  const weights = qualities(header)
  const weight = (encoding: Encoding): number => weights.get(encoding) ?? weights.get("*") ?? 0
  const [best] = (["br", "gzip"] as const).toSorted((a, b) => weight(b) - weight(a))
  return best !== undefined && weight(best) > 0 ? best : undefined
}
