import { docUrl, errorRow } from "../../../core/error/Refusal.ts"
import { errorCodes } from "../../../core/error/table.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { pageLimit } from "../../../core/operation/field.ts"
import { jsonSchemaOf } from "../../../core/operation/jsonSchema.ts"
import type { JsonSchema } from "../../../core/operation/jsonSchema.ts"

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
  headers,
  schemas: {
    ...metas,
    ...Object.fromEntries(errorCodes.map((code) => [code, errorShape(code, baseUrl)]))
  }
})

export const schemaRef = (name: ErrorCode | keyof typeof metas): JsonSchema => ({
  $ref: `#/components/schemas/${name}`
})
export const headerRef = (name: keyof typeof headers): JsonSchema => ({
  $ref: `#/components/headers/${name}`
})

const meta = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  required: Object.keys(properties),
  properties
})

const text: JsonSchema = { type: "string" }

const metas = {
  Meta: meta({ request_id: text, timestamp: { type: "string", format: "date-time" } }),
  PagedMeta: meta({
    pagination: meta({
      cursor: { type: ["string", "null"], description: "Send it as `cursor` for the next page." },
      has_more: { type: "boolean" },
      limit: { type: "integer", minimum: 1, maximum: pageLimit.max }
    })
  }),
  CoverageMeta: meta({
    data_as_of: {
      type: ["string", "null"],
      description: "The newest day that the imported sources speak of."
    },
    disclaimer: text
  })
} as const

const whole = (description: string): JsonSchema => ({ description, schema: { type: "integer" } })

const headers = {
  RequestId: { description: "Names this answer; say it when you ask for support.", schema: text },
  ETag: { description: "Names the content; send it as If-None-Match.", schema: text },
  RateLimitLimit: whole("The per-minute limit in force, in cost units."),
  RateLimitRemaining: whole("What is left of the limit."),
  RateLimitReset: whole("When the whole limit is free again if nothing more is sent, in Unix seconds."),
  RetryAfter: whole("Seconds to wait until the same call is possible."),
  Deprecation: { description: "Since when the operation is deprecated (RFC 9745).", schema: text },
  Sunset: { description: "After which day it may no longer answer (RFC 8594).", schema: text },
  CreditsCost: whole("The credits that this answer spent."),
  CreditsRemaining: whole("The credits that are left, where known.")
} as const

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
  const details = row.details === undefined ? {} : { details: jsonSchemaOf(row.details) }
  return {
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
      meta: schemaRef("Meta")
    }
  }
}
