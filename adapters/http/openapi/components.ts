import { ignoredMax } from "../../../core/admission/decode.ts"
import { docUrl, errorRow } from "../../../core/error/Refusal.ts"
import { errorCodes } from "../../../core/error/table.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { keyLengthMax } from "../../../core/idempotency/key.ts"
import { operationIds, operationRow } from "../../../core/operation/catalogue.ts"
import { pageLimit } from "../../../core/operation/field.ts"
import { describe } from "../../../core/operation/descriptions/describe.ts"
import { describedError } from "../../../core/operation/descriptions/published.ts"
import { jsonSchemaOf } from "../../../core/operation/jsonSchema.ts"
import type { JsonSchema } from "../../../core/operation/jsonSchema.ts"
import { errorSchemaName } from "./componentNames.ts"
import { comesAgain, headerComponents } from "./headers.ts"

/**
 * The parts that operations share; each error code is one, so that a client sees its `details` with their
 * type.
 */
export const components = (baseUrl: string): JsonSchema => ({
  securitySchemes: {
    key: {
      type: "http",
      scheme: "bearer",
      description: "An API key: svc_live_… on /api/v1, svc_test_… in the sandbox."
    }
  },
  headers: headerComponents(),
  schemas: {
    ...describedMetas(),
    ...Object.fromEntries(errorCodes.map((code) => [errorSchemaName(code), errorShape(code, baseUrl)]))
  }
})

export const schemaRef = (name: keyof typeof metas): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Refers to the schema of one error. */
export const errorRef = (code: ErrorCode): JsonSchema => ({
  $ref: `#/components/schemas/${errorSchemaName(code)}`
})

const meta = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {}
): JsonSchema => ({
  type: "object",
  required: Object.keys(properties),
  properties: { ...properties, ...optional }
})

const text: JsonSchema = { type: "string" }

const metas = {
  Meta: meta(
    { request_id: text, timestamp: { type: "string", format: "date-time" } },
    { ignored_parameters: { type: "array", items: text, maxItems: ignoredMax } }
  ),
  PagedMeta: meta({
    pagination: meta({
      cursor: { type: ["string", "null"] },
      has_more: { type: "boolean" },
      limit: { type: "integer", minimum: 1, maximum: pageLimit.max }
    })
  }),
  CoverageMeta: meta(
    { data_as_of: { type: ["string", "null"] }, disclaimer: text },
    { omitted: { type: "array", items: text }, includes_unavailable: { type: "array", items: text } }
  ),
  /** What `meta` of a replayed response adds (§4.6.2). */
  ReplayMeta: {
    type: "object",
    properties: {
      cached: { const: true },
      idempotency_key: { type: "string", minLength: 1, maxLength: keyLengthMax }
    }
  }
} as const

/** Returns the described members of `meta`: of every response, of lists, coverage answers and replays. */
export const describedMetas = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(metas).map(([name, shape]) => [name, describe(shape, { owners: [], names: ["meta"] })])
  )

/** The envelope of one error (§7.1). */
const errorShape = (code: ErrorCode, baseUrl: string): JsonSchema => {
  const row = errorRow(code)
  const known = {
    code: { const: code },
    message: text,
    hint: text,
    docUrl: { type: "string", examples: [docUrl(baseUrl, code)] },
    retryable: { const: row.retryable }
  }
  const details = row.details === undefined ? {} : { details: jsonSchemaOf(row.details, { named: true }) }
  return describedError(code, {
    type: "object",
    description: row.message,
    required: ["success", "error", "meta"],
    properties: {
      success: { const: false },
      error: {
        type: "object",
        required: [...Object.keys(known), ...Object.keys(details)],
        properties: { ...known, ...details }
      },
      meta: isKept(code) ? { allOf: [schemaRef("Meta"), schemaRef("ReplayMeta")] } : schemaRef("Meta")
    }
  })
}

/** Whether some operation keeps this refusal for repeats of its request. */
const isKept = (code: ErrorCode): boolean =>
  operationIds.map(operationRow).some((row) => code in row.refusals && comesAgain(row, errorRow(code).status))
