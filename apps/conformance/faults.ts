import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { errorAnchor, errorRow } from "../../core/error/Refusal.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import type { Operation } from "../../core/operation/Operation.ts"
import { at } from "./asking.ts"
import type { Heard } from "./asking.ts"

/** A fault where the condition does not hold. */
export const unless = (holds: boolean, fault: string): ReadonlyArray<string> => (holds ? [] : [fault])

const requestId = /^req_[0-9a-hjkmnp-tv-z]{26}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** What every JSON answer says of itself (§2.1, §7.1). */
export const metaFaults = ({ headers, json }: Heard): ReadonlyArray<string> => {
  const id = at(json, "meta", "request_id")
  return [
    ...unless(/^application\/json(;|$)/.test(headers.get("content-type") ?? ""), "Content-Type is not JSON"),
    ...unless(requestId.test(String(id)), "meta.request_id is no request id"),
    ...unless(headers.get("x-request-id") === id, "X-Request-Id is not meta.request_id"),
    ...unless(time.test(String(at(json, "meta", "timestamp"))), "meta.timestamp is no UTC time")
  ]
}

/** A success of the row: its envelope, and data of the row's shape; more members are no fault (§9). */
export const answerFaults = (row: Operation, heard: Heard): ReadonlyArray<string> => {
  const { json, status } = heard
  if (status !== 200) return [`answered ${status} ${String(at(json, "error", "code") ?? "")}`.trim()]
  const page = at(json, "meta", "pagination")
  return [
    ...unless(at(json, "success") === true, "success is not true"),
    ...shapeFaults("data", row.success, at(json, "data")),
    ...metaFaults(heard),
    ...(row.coverage === true
      ? unless(
          typeof at(json, "meta", "disclaimer") === "string" && at(json, "meta", "data_as_of") !== undefined,
          "meta has no data_as_of or no disclaimer"
        )
      : []),
    ...(row.paged === true
      ? unless(
          typeof at(page, "has_more") === "boolean" &&
            typeof at(page, "limit") === "number" &&
            (typeof at(page, "cursor") === "string") === at(page, "has_more"),
          "meta.pagination is not {cursor, has_more, limit}, with a cursor where there is more"
        )
      : [])
  ]
}

const shapeFaults = (name: string, schema: Schema.Top | undefined, value: unknown): ReadonlyArray<string> => {
  if (schema === undefined) return unless(value === undefined, `${name} is there and should not be`)
  if (value === undefined) return [`${name} is missing`]
  const parse = SchemaParser.decodeUnknownResult(schema as unknown as Schema.ConstraintDecoder<unknown>)
  const parsed = parse(value)
  return Result.isSuccess(parsed) ? [] : [`${name} does not fit: ${oneLine(String(parsed.failure))}`]
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 200)

/** An error of the table, in each of its members (§7.1, §7.3). */
export const refusalFaults = (code: ErrorCode, heard: Heard): ReadonlyArray<string> => {
  const { headers, json, status } = heard
  const row = errorRow(code)
  const error = at(json, "error")
  if (at(error, "code") !== code)
    return [`answered ${status} ${String(at(error, "code") ?? "without a code")}`]
  const retryAfter = headers.get("retry-after")
  const isLimit = row.status === 429
  return [
    ...unless(status === row.status, `status ${status} is not ${row.status}`),
    ...unless(at(json, "success") === false, "success is not false"),
    ...unless(at(error, "retryable") === row.retryable, `retryable is not ${row.retryable}`),
    ...unless(isText(at(error, "message")) && isText(at(error, "hint")), "message or hint is empty"),
    ...unless(
      String(at(error, "docUrl")).endsWith(`/docs/errors#${errorAnchor(code)}`),
      `docUrl does not end in /docs/errors#${errorAnchor(code)}`
    ),
    ...shapeFaults("error.details", row.details, at(error, "details")),
    ...unless(
      isLimit === (retryAfter !== null),
      isLimit ? "Retry-After is missing" : "Retry-After is on no 429"
    ),
    ...(isLimit ? unless(/^[1-9]\d*$/.test(retryAfter ?? ""), "Retry-After is no number of seconds") : []),
    ...unless(
      headers.get("cache-control") === (row.cacheControl ?? "no-store"),
      `Cache-Control is not ${row.cacheControl ?? "no-store"}`
    ),
    ...metaFaults(heard)
  ]
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== ""

/** The headers of limits and credits, which agree with each other (§8.2, contract §1). */
export const limitFaults = ({ headers }: Heard): ReadonlyArray<string> => {
  const figure = (name: string) => headers.get(`x-ratelimit-${name}`)
  const missing = ["limit", "remaining", "reset"].filter((name) => !/^\d+$/.test(figure(name) ?? ""))
  const field = headers.get("ratelimit") ?? ""
  return [
    ...missing.map((name) => `X-RateLimit-${name[0]?.toUpperCase()}${name.slice(1)} is missing or no number`),
    ...unless(/^"(minute|day)";r=\d+;t=\d+$/.test(field), "RateLimit is missing or malformed"),
    ...unless(
      field.includes(`;r=${figure("remaining")};`),
      "RateLimit does not agree with X-RateLimit-Remaining"
    ),
    ...unless(
      (headers.get("ratelimit-policy") ?? "").startsWith(`"minute";q=${figure("limit")};w=60`),
      "RateLimit-Policy does not agree with X-RateLimit-Limit"
    ),
    ...unless(/^\d+$/.test(headers.get("x-credits-cost") ?? ""), "X-Credits-Cost is missing or no number")
  ]
}

/** On what did not come as far as the limits. */
export const unlimitedFaults = ({ headers }: Heard): ReadonlyArray<string> =>
  unless(!headers.has("x-ratelimit-limit"), "X-RateLimit-Limit is on an answer before any limit")
