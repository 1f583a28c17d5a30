import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoDate, IsoTime } from "../coverage/date.ts"
import { errorRow, isRefusal } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { isOriginListed } from "../network/address.ts"
import { showLimits } from "../limit/headers.ts"
import type { ToolContent } from "../mcp/toolAnswer.ts"
import { toolHint } from "../mcp/toolHints.ts"
import { deprecationHeaders } from "../operation/deprecation.ts"
import { errorOf, errorText } from "../operation/errorText.ts"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import { Crypto } from "../port/Crypto.ts"
import { Settings } from "../port/Settings.ts"
import type { Answer, Call, Envelope, HttpReply, Reply } from "./Call.ts"

/** Makes the envelope of a call that begins at an instant, in Unix ms. */
export const makeNewEnvelope = Effect.gen(function* () {
  const { randomBytes } = yield* Crypto
  const publication = yield* Settings
  // Many calls begin in one second, whose text is written once.
  let last = { second: Number.NaN, text: "", today: "" as IsoDate }
  return (nowMs: number): Envelope => {
    const second = Math.floor(nowMs / 1_000)
    if (last.second !== second) {
      const text = DateTime.formatIso(DateTime.makeUnsafe(second * 1_000)).slice(0, -"000Z".length)
      last = { second, text, today: text.slice(0, "2026-01-01".length) as IsoDate }
    }
    const ms = nowMs - second * 1_000
    return {
      requestId: `req_${timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })}`,
      now: `${last.text}${ms < 100 ? (ms < 10 ? "00" : "0") : ""}${ms}Z` as IsoTime,
      today: last.today,
      publication
    }
  }
})

/** The HTTP status that a reply is answered with. */
export const statusOf = (reply: Reply): number => {
  if (isRefusal(reply)) return errorRow(reply.code).status
  return reply._tag === "Http" ? reply.status : 200
}

/** The last step: a reply as the answer that HTTP sends. */
export const answerOf = (call: Call, reply: Reply): Answer => {
  const { status, headers, body } = httpReplyOf(call.envelope, reply)
  return { status, headers: headersOf(call, headers), body, cost: call.receipt.cost ?? 0 }
}

/** The same as the content of a tool's answer: the API's data or error, the call's id, and what it cost. */
export const contentOf = (call: Call, reply: Reply): ToolContent => {
  const { cost = 0, remaining = null } = call.receipt
  const { requestId, now, publication } = call.envelope
  const own = { request_id: requestId, timestamp: now, credits: { cost, remaining } }
  if (isRefusal(reply)) {
    const refusal = { ...reply, hint: toolHint(reply.code) ?? reply.hint }
    return { error: errorOf(refusal, publication), request_id: requestId, meta: own }
  }
  return reply._tag === "Tool" ? { data: reply.data, meta: { ...reply.meta, ...own } } : { meta: own }
}

/** All headers of an answer, `own` last: they are made here, once, and nothing reads them again. */
export const headersOf = (call: Call, own: Answer["headers"] = {}): Answer["headers"] => {
  const { envelope, receipt, target } = call
  const headers: Record<string, string> = { "x-request-id": envelope.requestId }
  const deprecated = target.rows[0]?.deprecated
  if (deprecated !== undefined)
    Object.assign(headers, deprecationHeaders(deprecated, envelope.publication.baseUrl))
  const cors = corsOf(call)
  if (cors !== undefined) Object.assign(headers, cors)
  const { limits, cost, remaining, replayed } = receipt
  if (limits !== undefined) showLimits(headers, limits)
  if (cost !== undefined) headers["x-credits-cost"] = String(cost)
  if (remaining !== undefined) headers["x-credits-remaining"] = String(remaining)
  for (const name in own) headers[name] = own[name] ?? ""
  if (replayed) headers["idempotent-replayed"] = "true"
  return headers
}

/** What a page may read of an answer (contract §1, CORS). */
const exposedHeaders = [
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "X-Credits-Cost",
  "X-Credits-Remaining"
].join(", ")

/** The answer's CORS headers: in the sandbox for every origin, elsewhere for those that the key lists. */
const corsOf = ({ party: { holder }, request: { origin }, surface }: Call): Answer["headers"] | undefined => {
  if (surface.reflectsOrigin) return reflectOrigin(origin)
  if (origin === undefined || holder === undefined) return undefined
  return isOriginListed(holder.key.allowedOrigins, origin) ? reflectOrigin(origin) : undefined
}

/** Lets pages of the origin read an answer. Caches must not show it to another. */
export const reflectOrigin = (origin: string | undefined): Answer["headers"] =>
  origin === undefined
    ? varyingByOrigin
    : {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": exposedHeaders,
        ...varyingByOrigin
      }

const varyingByOrigin = { vary: "Origin" } as const

/** A reply as HTTP says it. */
export const httpReplyOf = (envelope: Envelope, reply: Reply): HttpReply => {
  if (isRefusal(reply)) return refusalReply(envelope, reply)
  return reply._tag === "Http"
    ? reply
    : success(envelope, JSON.stringify(reply.data), JSON.stringify(reply.meta))
}

/** For every answer without an ETag (contract §1): no cache may store it, the caller's own included. */
export const notStored = { "cache-control": "private, no-store" } as const

/** `data` is JSON text, and so is `meta`, the object of what is said beside request id and time. */
export const success = (
  envelope: Envelope,
  data: string,
  meta: string,
  headers: Answer["headers"] = {}
): HttpReply => ({
  _tag: "Http",
  status: 200,
  headers: { "content-type": jsonType, ...notStored, ...headers },
  body: `{"success":true,"data":${data},"meta":${metaText(envelope, meta)}}`
})

/** The same content as the caller already has (contract §1, ETag). */
export const notModified = (headers: {
  readonly etag: string
  readonly "cache-control": string
}): HttpReply => ({ _tag: "Http", status: 304, headers, body: undefined })

/** An answer to what is no call: a request that no route takes, or that is not HTTP. */
export const refuse = (envelope: Envelope, refusal: Refusal): Answer => {
  const { status, headers, body } = refusalReply(envelope, refusal)
  return { status, headers: { "x-request-id": envelope.requestId, ...headers }, body }
}

const refusalReply = (envelope: Envelope, refusal: Refusal): HttpReply => {
  const { status } = errorRow(refusal.code)
  const headers = { "content-type": jsonType, ...notStored }
  return {
    _tag: "Http",
    status,
    headers: status === 401 ? { ...headers, "www-authenticate": "Bearer" } : headers,
    body: `{"success":false,"error":${errorText(refusal, envelope.publication)},"meta":${metaText(envelope)}}`
  }
}

const jsonType = "application/json; charset=utf-8"

/** What every answer says of itself (§2.1), and `more`; an id and a time hold nothing that JSON escapes. */
const metaText = ({ requestId, now }: Envelope, more = "{}"): string =>
  `{"request_id":"${requestId}","timestamp":"${now}"${more === "{}" ? "}" : `,${more.slice(1)}`}`
