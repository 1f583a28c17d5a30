import * as Result from "effect/Result"
import { isObject } from "../../core/json/isObject.ts"
import { CallRefused, callFailure } from "./CallError.ts"
import type { CallError, FailureCode } from "./CallError.ts"
import type { Reply } from "./exchange.ts"
import { retryAfterSeconds } from "./retry.ts"

/** A success of any operation: its data, and what it says of itself. */
export interface Success {
  readonly data: unknown
  readonly meta: Readonly<Record<string, unknown>>
}

/** What an answer means; 304 is the caller's to understand. */
export const judge = (reply: Reply, nowMs: number): Result.Result<Success, CallError> => {
  const { headers, status, text } = reply
  const fault = (code: FailureCode) =>
    Result.fail(callFailure(code, { status, requestId: requestIdOf(headers) }))
  // A browser shows nothing of a redirect, not even its status.
  if (status === 0 || (status >= 300 && status < 400 && status !== 304)) return fault("REDIRECTED")
  if (text === undefined) return fault("ANSWER_TOO_LARGE")
  const body = parsed(text)
  if (isObject(body) && status === 200 && body["success"] === true) return success(body) ?? fault(unexpected)
  const refusal = isObject(body) && status >= 400 ? refusalOf(body, reply, nowMs) : undefined
  if (refusal !== undefined) return Result.fail(refusal)
  if (gatewayStatuses.has(status)) return fault("GATEWAY_FAILED")
  return fault(body === undefined ? "ANSWER_UNREADABLE" : unexpected)
}

/** A page of text, whose envelope is its headers. */
export const judgeText = (reply: Reply, nowMs: number): Result.Result<Success, CallError> => {
  const { headers, status, text } = reply
  const isText = headers.get("content-type")?.startsWith("text/csv") === true
  if (status !== 200 || text === undefined || !isText) {
    const judged = judge(reply, nowMs)
    return Result.isFailure(judged) ? judged : Result.fail(callFailure(unexpected, { status }))
  }
  const meta = { request_id: requestIdOf(headers), cursor: headers.get("x-next-cursor") }
  return Result.succeed({ data: text, meta })
}

const unexpected = "ANSWER_UNEXPECTED" satisfies FailureCode

/** What proxies and balancers say of a service they cannot reach. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

const parsed = (text: string): unknown =>
  Result.getOrUndefined(Result.try({ try: () => JSON.parse(text) as unknown, catch: () => undefined }))

const success = ({
  data,
  meta
}: Readonly<Record<string, unknown>>): Result.Result<Success, never> | undefined =>
  data !== undefined && isObject(meta) && typeof meta["request_id"] === "string"
    ? Result.succeed({ data, meta })
    : undefined

const refusalOf = (
  { error, meta, success: succeeded }: Readonly<Record<string, unknown>>,
  { headers, status }: Reply,
  nowMs: number
): CallRefused | undefined => {
  if (succeeded !== false || !isObject(error)) return undefined
  const { code, details, docUrl, hint, message, retryable } = error
  if (typeof code !== "string" || typeof retryable !== "boolean") return undefined
  const told = isObject(details) ? details : null
  const inBody = told?.["retry_after_seconds"]
  const asked = retryAfterSeconds(headers.get("retry-after"), nowMs)
  return new CallRefused({
    code,
    status,
    retryable,
    message: textOf(message) ?? code,
    hint: textOf(hint),
    details: told,
    requestId: (isObject(meta) ? textOf(meta["request_id"]) : null) ?? requestIdOf(headers),
    docUrl: textOf(docUrl),
    // A page of another origin may not read the header, so the body says the same number.
    retryAfterSeconds: asked ?? (typeof inBody === "number" && inBody >= 0 ? inBody : null),
    attempts: 0
  })
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** An id of ours and nothing else: a header may repeat whatever was sent. */
const requestIdOf = (headers: Headers): string | null => {
  const id = headers.get("x-request-id") ?? ""
  return /^req_\w{1,64}$/.test(id) ? id : null
}
