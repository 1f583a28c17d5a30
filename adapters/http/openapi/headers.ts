import { errorRow } from "../../../core/error/Refusal.ts"
import { errorCodes } from "../../../core/error/table.ts"
import { operationIds, operationRow } from "../../../core/operation/catalogue.ts"
import { jsonSchemaOf } from "../../../core/operation/jsonSchema.ts"
import type { JsonSchema } from "../../../core/operation/jsonSchema.ts"
import { refusalCodes } from "../../../core/operation/Operation.ts"
import type { Operation } from "../../../core/operation/Operation.ts"
import { runsOnce } from "./words.ts"

/** A header of the answers: what it is called, and what it says. */
const named = (name: string, description: string, schema: JsonSchema = { type: "string" }) => ({
  name,
  meaning: { description, schema }
})
const whole: JsonSchema = { type: "integer" }

const headers = {
  RequestId: named("X-Request-Id", "Names this answer; say it when you ask for support."),
  Vary: named("Vary", "The headers of the request that the answer depends on, where there are some."),
  CacheControl: named("Cache-Control", "Who may keep the answer, and whether it must be asked for again."),
  ETag: named("ETag", "Names the content; send it as If-None-Match."),
  NextCursor: named("X-Next-Cursor", "With CSV: send it as `cursor` for the next page; absent on the last."),
  Replayed: named("Idempotent-Replayed", "The first answer to this X-Idempotency-Key again; nothing ran.", {
    const: "true"
  }),
  RateLimitLimit: named("X-RateLimit-Limit", "The per-minute limit in force, in cost units.", whole),
  RateLimitRemaining: named("X-RateLimit-Remaining", "What is left of the limit.", whole),
  RateLimitReset: named(
    "X-RateLimit-Reset",
    "When the whole limit is free again if nothing more is sent, in Unix seconds.",
    whole
  ),
  RateLimitPolicy: named(
    "RateLimit-Policy",
    "The limits in force, of the minute and of the day: `q` in cost units, `w` in seconds (IETF draft 10)."
  ),
  RateLimit: named(
    "RateLimit",
    "Of the limit that is named, `r` is what is left and `t` the seconds until all of it is free again."
  ),
  CreditsCost: named("X-Credits-Cost", "The credits that this answer spent.", whole),
  CreditsRemaining: named("X-Credits-Remaining", "The credits that are left, where known.", whole),
  RetryAfter: named("Retry-After", "Seconds to wait until the same call is possible.", whole),
  Authenticate: named("WWW-Authenticate", "How to authenticate: `Bearer`."),
  Deprecation: named("Deprecation", "Since when the operation is deprecated (RFC 9745)."),
  Sunset: named("Sunset", "After which day it may no longer answer (RFC 8594)."),
  Link: named("Link", "Where it is explained what a deprecation means.")
} as const
type HeaderName = keyof typeof headers

/** Returns the header components that some response of the operations has. */
export const headerComponents = (): JsonSchema => {
  const used = new Set(
    operationIds.map(operationRow).flatMap((row) => statuses.flatMap((s) => namesOf(row, s)))
  )
  return Object.fromEntries([...used].map((key) => [key, headers[key].meaning]))
}

const statuses = [200, ...new Set(errorCodes.map((code) => errorRow(code).status))]

/** What an answer of the operation with this status may carry, by the rules of the service. */
export const headersOf = (row: Operation, status: number): JsonSchema =>
  Object.fromEntries(
    namesOf(row, status).map((key) => [headers[key].name, { $ref: `#/components/headers/${key}` }])
  )

/** Whether the first answer of this status is kept and may come again: only what step 11 answered is. */
export const comesAgain = (row: Operation, status: number): boolean =>
  runsOnce(row) &&
  (status === 200 ||
    (status < 500 && refusalCodes(row.refusals).some((code) => errorRow(code).status === status)))

/** Whether the row may be asked for as CSV. */
export const offersCsv = (row: Operation): boolean =>
  row.query !== undefined && JSON.stringify(jsonSchemaOf(row.query)).includes('"csv"')

const namesOf = (row: Operation, status: number): ReadonlyArray<HeaderName> => {
  const tagged = row.etag === true && status < 400
  return [
    "RequestId",
    "Vary",
    "CacheControl",
    ...when(tagged, "ETag"),
    ...when(status === 200 && offersCsv(row), "NextCursor"),
    ...when(comesAgain(row, status), "Replayed"),
    ...when(isLimited(row) && status !== 401, ...limitNames),
    ...when(status === 429, "RetryAfter"),
    ...when(status === 401, "Authenticate"),
    ...when(row.deprecated !== undefined, "Deprecation", "Sunset", "Link")
  ]
}

const when = (applies: boolean, ...names: ReadonlyArray<HeaderName>): ReadonlyArray<HeaderName> =>
  applies ? names : []

/** Health has no organization, so nothing to say of limits and credits (contract §1). */
const isLimited = (row: Operation): boolean => row.requirement !== null || row.perAddress === true

const limitNames = [
  "RateLimitLimit",
  "RateLimitRemaining",
  "RateLimitReset",
  "RateLimitPolicy",
  "RateLimit",
  "CreditsCost",
  "CreditsRemaining"
] as const
