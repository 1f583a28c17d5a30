import * as Result from "effect/Result"
import { isObject } from "../admission/body.ts"
import type { Envelope } from "./opening.ts"
import type { Written } from "./reply.ts"

/** Where a sealed answer is kept: at another record it does not open. */
export const recordContext = (recordId: string): string => `idempotency ${recordId}`

/** An answer as it is kept under an idempotency key, before it is sealed. */
export const keptText = ({ status, headers, body }: Written): string =>
  JSON.stringify({ status, headers, body })

/**
 * The kept answer again, to a repeat of its request (contract §1, Idempotency): status and body as they were,
 * under this call's own request id and time, and marked as a replay. Undefined: it is not an answer that was
 * kept.
 */
export const replayed = (text: string, repeat: Envelope & { readonly key: string }): Written | undefined => {
  const kept = parsed(text)
  if (!isObject(kept) || typeof kept["status"] !== "number" || !isObject(kept["headers"])) return undefined
  const body = typeof kept["body"] === "string" ? kept["body"] : undefined
  return {
    _tag: "Written",
    status: kept["status"],
    headers: texts(kept["headers"]),
    body: body && marked(body, repeat)
  }
}
/** JSON that we wrote is the same text when it is read and written again, but for its `meta`. */
const marked = (body: string, { requestId, now, key }: Envelope & { readonly key: string }): string => {
  const answer = parsed(body)
  if (!isObject(answer) || !isObject(answer["meta"])) return body
  const mark = { request_id: requestId, timestamp: now, cached: true, idempotency_key: key }
  return JSON.stringify({ ...answer, meta: { ...answer["meta"], ...mark } })
}

const parsed = (text: string): unknown =>
  Result.getOrUndefined(Result.try({ try: () => JSON.parse(text) as unknown, catch: () => undefined }))

const texts = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  )
