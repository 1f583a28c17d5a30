import { errorRow, isRefusal } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { errorText, successText } from "../operation/envelope.ts"
import type { Envelope } from "./opening.ts"

/** An answer as every surface sends it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent on 304. */
  readonly body: string | undefined
}

/** What a call came to, before what was taken for it is said in its headers. */
export type Reply = Refusal | Written | Told

/** The text of an HTTP answer, with the headers that are its own. */
export interface Written extends Answer {
  readonly _tag: "Written"
}

/** The values of an answer that is not HTTP's: a tool's. */
export interface Told {
  readonly _tag: "Told"
  readonly data: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

/** The HTTP status that a reply is answered with. */
export const statusOf = (reply: Reply): number => {
  if (isRefusal(reply)) return errorRow(reply.code).status
  return reply._tag === "Written" ? reply.status : 200
}

const jsonType = "application/json; charset=utf-8"

/** What every answer says of itself (§2.1). */
export const metaOf = ({ requestId, now }: Envelope) => ({ request_id: requestId, timestamp: now })

/** A refusal as HTTP says it. */
const refusalText = (envelope: Envelope, refusal: Refusal): Written => {
  const { cacheControl = "no-store", status } = errorRow(refusal.code)
  const headers = { "content-type": jsonType, "cache-control": cacheControl }
  return {
    _tag: "Written",
    status,
    headers: status === 401 ? { ...headers, "www-authenticate": "Bearer" } : headers,
    body: errorText(refusal, metaOf(envelope), envelope.publication)
  }
}

/** A reply as HTTP says it. */
export const textOf = (envelope: Envelope, reply: Reply): Written => {
  if (isRefusal(reply)) return refusalText(envelope, reply)
  return reply._tag === "Written"
    ? reply
    : successOf(envelope, JSON.stringify(reply.data), JSON.stringify(reply.meta))
}

/** `data` is JSON text, and so is `meta`, the object of what is said beside request id and time. */
export const successOf = (
  envelope: Envelope,
  data: string,
  meta: string,
  headers: Readonly<Record<string, string>> = {}
): Written => ({
  _tag: "Written",
  status: 200,
  headers: { "content-type": jsonType, ...headers },
  body: successText(data, metaOf(envelope), meta)
})

/** The same content as the caller already has (contract §1, ETag). */
export const notModified = (headers: {
  readonly etag: string
  readonly "cache-control": string
}): Written => ({ _tag: "Written", status: 304, headers, body: undefined })

/** An answer to what is no call: a request that no route takes, or that is not HTTP. */
export const refuse = (envelope: Envelope, refusal: Refusal): Answer => {
  const { status, headers, body } = refusalText(envelope, refusal)
  return { status, headers: { "x-request-id": envelope.requestId, ...headers }, body }
}
