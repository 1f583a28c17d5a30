import type { IsoTime } from "../coverage/date.ts"
import { errorRow } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { errorText, successText } from "../operation/envelope.ts"
import type { Publication } from "../operation/envelope.ts"

/** An answer as every surface sends it, once sealed. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent on 304. */
  readonly body: string | undefined
}

/** What an answer says whatever its outcome; `headers` grows as the call passes its checks. */
export interface Envelope {
  readonly requestId: string
  readonly now: IsoTime
  readonly publication: Publication
  readonly headers: Record<string, string>
}

const jsonType = "application/json; charset=utf-8"

const metaOf = (envelope: Envelope) => ({ request_id: envelope.requestId, timestamp: envelope.now })

export const refuse = (envelope: Envelope, refusal: Refusal): Answer => {
  const { cacheControl = "no-store", status } = errorRow(refusal.code)
  return {
    status,
    headers: {
      "content-type": jsonType,
      "cache-control": cacheControl,
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {})
    },
    body: errorText(refusal, metaOf(envelope), envelope.publication)
  }
}

/** `data` is JSON text, and so is `meta`, the object of what is said beside request id and time. */
export const succeed = (
  envelope: Envelope,
  data: string,
  meta: string,
  headers: Readonly<Record<string, string>> = {}
): Answer => ({
  status: 200,
  headers: { "content-type": jsonType, ...headers },
  body: successText(data, metaOf(envelope), meta)
})

/** Nothing is said beside request id and time. */
export const noMeta = "{}"

/** The same content as the caller already has (contract §1, ETag). */
export const notModified = (headers: {
  readonly etag: string
  readonly "cache-control": string
}): Answer => ({ status: 304, headers, body: undefined })

/**
 * The answer with the headers that the call gathered on its way, the refund's included. What is said of a
 * call before it ends, as its deadline does, keeps the headers as they stood then.
 */
export const seal = (envelope: Envelope, { status, headers, body }: Answer): Answer => ({
  status,
  headers: { ...envelope.headers, ...headers },
  body
})
