import { errorAnchor, errorRow } from "../../core/error/Refusal.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import type { Operation } from "../../core/operation/Operation.ts"
import { pageLimit } from "../../core/operation/field.ts"
import { at, unless } from "./request.ts"
import type { CheckRequest, CheckResponse } from "./request.ts"
import { detailFaults } from "./details.ts"
import { secretFaults } from "./secrets.ts"
import { shapeFaults } from "./shape.ts"

const requestId = /^req_[0-9a-hjkmnp-tv-z]{26}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** What every JSON answer says of itself (§2.1, §7.1). */
export const metaFaults = ({ headers, json }: CheckResponse): ReadonlyArray<string> => {
  const id = at(json, "meta", "request_id")
  return [
    ...unless(/^application\/json(;|$)/.test(headers.get("content-type") ?? ""), "Content-Type is not JSON"),
    ...unless(requestId.test(String(id)), "meta.request_id is no request id"),
    ...unless(headers.get("x-request-id") === id, "X-Request-Id is not meta.request_id"),
    ...unless(time.test(String(at(json, "meta", "timestamp"))), "meta.timestamp is no UTC time")
  ]
}

/** A success of the row: its envelope, and data of the row's shape; more members are no fault (§9). */
export const answerFaults = (
  row: Operation,
  asked: Pick<CheckRequest, "path">,
  heard: CheckResponse
): ReadonlyArray<string> => {
  const { json, status } = heard
  if (status !== 200) return [`answered ${status} ${String(at(json, "error", "code") ?? "")}`.trim()]
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
    ...(row.paged === true ? pageFaults(asked.path, json) : []),
    ...secretFaults(row, heard)
  ]
}

/** A page is of the length that was asked for, and says so (contract §1, Lists). */
const pageFaults = (path: string, json: unknown): ReadonlyArray<string> => {
  const page = at(json, "meta", "pagination")
  const data = at(json, "data")
  const requested = new URLSearchParams(path.split("?")[1]).get("limit")
  const limit = requested === null ? pageLimit.standard : Number(requested)
  return [
    ...unless(
      typeof at(page, "has_more") === "boolean" &&
        typeof at(page, "limit") === "number" &&
        (typeof at(page, "cursor") === "string") === at(page, "has_more"),
      "meta.pagination is not {cursor, has_more, limit}, with a cursor where there is more"
    ),
    ...unless(at(page, "limit") === limit, `meta.pagination.limit is not ${limit}, as asked`),
    ...unless(!Array.isArray(data) || data.length <= limit, `the page has more than ${limit} rows`)
  ]
}

/**
 * An error of the table, in each of its members (§7.1, §7.3); `of` is the row of the operation asked,
 * if one was.
 */
export const refusalFaults = (
  code: ErrorCode,
  heard: CheckResponse,
  of?: Operation
): ReadonlyArray<string> => {
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
    ...unless(headers.get("cache-control") === "private, no-store", "Cache-Control is not private, no-store"),
    ...detailFaults(code, heard, of),
    ...secretFaults(undefined, heard),
    ...metaFaults(heard)
  ]
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== ""

/** The headers of limits and credits, which agree with each other (§8.2, contract §1). */
export const limitFaults = ({ headers, json }: CheckResponse): ReadonlyArray<string> => {
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
    ...resetFaults(figure("reset"), field, at(json, "meta", "timestamp")),
    ...unless(/^\d+$/.test(headers.get("x-credits-cost") ?? ""), "X-Credits-Cost is missing or no number")
  ]
}

/** An answer may be this much younger than the limit's figures: it takes its time, and both are rounded. */
const skewSeconds = 15

/** X-RateLimit-Reset is in Unix seconds, and `t` of RateLimit so many seconds before it (§8.2). */
const resetFaults = (reset: string | null, field: string, timestamp: unknown): ReadonlyArray<string> => {
  const [, span = "minute", wait = ""] = /^"(\w+)";.*t=(\d+)$/.exec(field) ?? []
  const now = Date.parse(String(timestamp)) / 1_000
  if (reset === null || wait === "" || Number.isNaN(now)) return []
  const seconds = { minute: 60, day: 86_400 }[span === "day" ? "day" : "minute"]
  return [
    ...unless(
      Math.abs(Number(reset) - now - Number(wait)) <= skewSeconds,
      "X-RateLimit-Reset is not the Unix second at which the seconds of RateLimit end"
    ),
    ...unless(Number(wait) <= seconds, `RateLimit's t is more than the ${seconds} s of its ${span}`)
  ]
}

/** On what did not come as far as the limits. */
export const unlimitedFaults = ({ headers }: CheckResponse): ReadonlyArray<string> =>
  unless(!headers.has("x-ratelimit-limit"), "X-RateLimit-Limit is on an answer before any limit")
