import type { IncomingMessage, ServerResponse } from "node:http"
import { setImmediate } from "node:timers/promises"
import { promisify } from "node:util"
import type { BrotliOptions } from "node:zlib"
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib"
import { toServerResponse } from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Answer } from "../../core/call/Call.ts"
import { isUnread } from "./connections.ts"
import { qualities } from "../../core/admission/decode.ts"

/** A smaller body gains nothing by being packed (contract §1). */
const compressedBytesMin = 1_024

/**
 * A smaller body is compressed synchronously. Node's thread pool costs more CPU (0.29 ms instead of 0.16 ms
 * for a list of 50), and other work of the pool would delay it.
 */
const pooledBytesMin = 32 * 1_024

const brotliPooled = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const encodings = {
  br: {
    now: (bytes: Buffer) => brotliCompressSync(bytes, brotliOptions),
    pooled: (bytes: Buffer) => brotliPooled(bytes, brotliOptions)
  },
  gzip: { now: (bytes: Buffer) => gzipSync(bytes), pooled: promisify<Buffer, Buffer>(gzip) }
} as const
type Encoding = keyof typeof encodings

/**
 * Sends an answer by Node's response, compressed if the caller accepts that and the body is large enough.
 * Returns a promise only if it cannot send at once. It builds no response of the router's from the answer,
 * because that costs as much as sending it.
 *
 * A body that came together with its head has been read a turn later, and its connection can be kept.
 */
export const sendAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer
): Promise<void> | undefined =>
  isUnread(request)
    ? setImmediate().then(() => packed(request, response, answer))
    : packed(request, response, answer)

const packed = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers: own, body }: Answer
): Promise<void> | undefined => {
  const isLarge = body !== undefined && body.length > compressedBytesMin
  // A 304 carries the Vary of its 200 (RFC 9110 §15.4.5), whose size is unknown here.
  const headers = written(own, isLarge || own["etag"] !== undefined)
  const encoding = isLarge ? preferredEncoding(request.headers["accept-encoding"]?.toString()) : undefined
  if (body === undefined || encoding === undefined) {
    send(response, status, headers, body)
    return undefined
  }
  headers.push("content-encoding", encoding)
  const bytes = Buffer.from(body)
  const { now, pooled } = encodings[encoding]
  if (bytes.length < pooledBytesMin) {
    send(response, status, headers, now(bytes))
    return undefined
  }
  return pooled(bytes).then((compressed) => send(response, status, headers, compressed))
}

/** Names and values in turn, as Node takes them without looking through an object. */
const written = (own: Answer["headers"], isVaried: boolean): Array<string> => {
  // Nothing of ours is to be guessed at, whatever the answer is.
  const headers = ["x-content-type-options", "nosniff"]
  const { vary } = own
  for (const name in own) if (name !== "vary") headers.push(name, own[name] ?? "")
  if (isVaried) headers.push("vary", vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`)
  else if (vary !== undefined) headers.push("vary", vary)
  return headers
}

const send = (
  response: ServerResponse,
  status: number,
  headers: Array<string>,
  body: string | Buffer | undefined
): void => {
  // The caller may be gone by now.
  if (response.destroyed) return
  if (body !== undefined) headers.push("content-length", String(Buffer.byteLength(body)))
  response.writeHead(status, headers)
  response.end(body)
}

/** The same for a request that came through the router. */
export const routedSend = (
  request: HttpServerRequest.HttpServerRequest,
  answer: Answer
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const response = toServerResponse(request) as ServerResponse
  const sending = sendAnswer(request.source as IncomingMessage, response, answer)
  return sending === undefined
    ? Effect.succeed(sent)
    : Effect.as(
        Effect.promise(() => sending),
        sent
      )
}

/** What the router is given in place of a response: it sees that one has been written, and leaves it. */
const sent = HttpServerResponse.empty()

/** The best of what the caller accepts (RFC 9110 §12.5.3); brotli wins a tie. */
const preferredEncoding = (header: string | undefined): Encoding | undefined => {
  if (header === undefined) return undefined
  const weights = qualities(header)
  const weight = (encoding: Encoding): number => weights.get(encoding) ?? weights.get("*") ?? 0
  const [best] = (["br", "gzip"] as const).toSorted((a, b) => weight(b) - weight(a))
  return best !== undefined && weight(best) > 0 ? best : undefined
}
