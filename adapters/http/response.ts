import type { IncomingMessage, ServerResponse } from "node:http"
import { setImmediate } from "node:timers/promises"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { toServerResponse } from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Answer } from "../../core/call/Call.ts"
import { isUnread } from "./connections.ts"

/** A smaller body gains nothing by being packed (contract §1). */
const compressedBytesMin = 1_024

const encodings = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => deflate(bytes)
} as const
type Encoding = keyof typeof encodings

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/**
 * Sends an answer by Node's response, packed when the caller takes that and it is worth it; what has to be
 * packed first is promised. An answer is a status, headers and a text already, and to make another response
 * of them first costs as much as to send it.
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
  return encodings[encoding](Buffer.from(body)).then((bytes) => send(response, status, headers, bytes))
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

/**
 * What a header names and how much each is wanted, 0 to 1 (RFC 9110 §12.4.2), in lower case: `Accept` and
 * `Accept-Encoding` are written alike.
 */
export const qualities = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header
      .toLowerCase()
      .split(",")
      .map((entry) => {
        const [name = "", ...parameters] = entry.split(";").map((part) => part.trim())
        const quality = parameters.find((parameter) => parameter.startsWith("q="))
        return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const
      })
  )
