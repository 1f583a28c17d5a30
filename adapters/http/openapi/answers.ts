import { refusalsOf } from "../../../core/admission/gates.ts"
import { errorRow } from "../../../core/error/Refusal.ts"
import { errorCodes } from "../../../core/error/table.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { operationIds, operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import type { Operation } from "../../../core/operation/Operation.ts"
import { errorRef, schemaRef } from "./components.ts"
import { errorExampleRefs } from "./examples.ts"
import { comesAgain, headersOf, offersCsv } from "./headers.ts"
import { describedResponse } from "../../../core/operation/descriptions/published.ts"
import type { JsonSchema } from "../../../core/operation/jsonSchema.ts"

const keyed = operationIds
  .map(operationRow)
  .filter((row) => row.requirement !== null)
  .map((row) => new Set(refusalsOf(row)))

/** The codes of every operation that takes a key. */
export const commonCodes: ReadonlySet<ErrorCode> = new Set(
  errorCodes.filter((code) => keyed.every((codes) => codes.has(code)))
)

/**
 * Every answer of an operation by its status: the success with what the sandbox answers, 304 where it has an
 * ETag, and each status of its errors.
 */
export const answersOf = (id: OperationId, example: unknown): JsonSchema => {
  const row = operationRow(id)
  return {
    "200": { description: successOf(row), headers: headersOf(row, 200), content: contentOf(id, example) },
    ...(row.etag === true
      ? {
          "304": {
            description: "Nothing changed since the ETag in If-None-Match.",
            headers: headersOf(row, 304)
          }
        }
      : {}),
    ...Object.fromEntries(
      statusesOf(row).map((status) => [
        String(status),
        isShared(row, status)
          ? { $ref: `#/components/responses/${errorName(row, status)}` }
          : errorAnswer(row, status)
      ])
    )
  }
}

const successOf = (row: Operation): string =>
  offersCsv(row) ? "Success. With `format=csv` the rows come as `text/csv` instead." : "Success"

/** Returns the error responses that operations share: those without a code of an operation's own. */
export const errorAnswers = (): JsonSchema =>
  Object.fromEntries(
    operationIds
      .map(operationRow)
      .flatMap((row) => statusesOf(row).map((status) => ({ row, status })))
      .filter(({ row, status }) => isShared(row, status))
      .map(({ row, status }) => [errorName(row, status), errorAnswer(row, status)])
  )

const errorAnswer = (row: Operation, status: number): JsonSchema => {
  const codes = codesOf(row, status)
  return {
    description: codes.join(", "),
    headers: headersOf(row, status),
    content: errorContent(codes)
  }
}

const isShared = (row: Operation, status: number): boolean => codesOf(row, status).every(isCommon)

/** Names what an error response depends on: its status, who may call, and whether it is deprecated. */
const errorName = (row: Operation, status: number): string => {
  const deprecated = row.deprecated === undefined ? "" : "Deprecated"
  const open = row.perAddress === true ? "PerAddress" : row.requirement === null ? "Public" : ""
  return `${deprecated}${open}${statusNames[status] ?? `Status${status}`}`
}

/** The reason phrases of the statuses that errors have. */
const statusNames: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  402: "PaymentRequired",
  403: "Forbidden",
  404: "NotFound",
  406: "NotAcceptable",
  409: "Conflict",
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable"
}

const isCommon = (code: ErrorCode): boolean => commonCodes.has(code)

const statusesOf = (row: Operation): ReadonlyArray<number> =>
  [...new Set(refusalsOf(row).map((code) => errorRow(code).status))].toSorted((a, b) => a - b)

const codesOf = (row: Operation, status: number): ReadonlyArray<ErrorCode> =>
  refusalsOf(row).filter((code) => errorRow(code).status === status)

const errorContent = (codes: ReadonlyArray<ErrorCode>): JsonSchema => {
  const [only, ...others] = codes.map(errorRef)
  const schema = others.length === 0 ? only : { anyOf: [only, ...others] }
  return { "application/json": { schema, examples: errorExampleRefs(codes) } }
}

/**
 * The envelope of §2.1 around the row's data. CSV is described in words only: as a second media type it would
 * make the result of every generated client a union with text.
 */
const contentOf = (id: OperationId, example: unknown): JsonSchema => ({
  "application/json": {
    schema: describedResponse(id, metaOf(operationRow(id))),
    ...(example === undefined ? {} : { example })
  }
})

const metaOf = (row: Operation): JsonSchema => {
  const parts = [
    schemaRef("Meta"),
    ...(row.paged === true ? [schemaRef("PagedMeta")] : []),
    ...(row.coverage === true ? [schemaRef("CoverageMeta")] : []),
    ...(comesAgain(row, 200) ? [schemaRef("ReplayMeta")] : [])
  ]
  return parts.length === 1 ? { ...parts[0] } : { allOf: parts }
}
