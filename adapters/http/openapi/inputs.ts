import type { Operation } from "../../../core/operation/Operation.ts"
import { jsonSchemaOf } from "../../../core/operation/jsonSchema.ts"
import type { JsonSchema } from "../../../core/operation/jsonSchema.ts"

/** One input of an operation, as its reference lists it. */
export interface Input {
  readonly in: "path" | "query" | "header" | "body"
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

/** What an operation takes from its path, its query and its headers. */
export const parametersOf = (row: Operation): ReadonlyArray<Input> => [
  ...(row.params === undefined ? [] : membersOf("path", jsonSchemaOf(row.params))),
  ...(row.query === undefined ? [] : membersOf("query", jsonSchemaOf(row.query))),
  ...(row.etag === true
    ? [{ in: "header" as const, name: "If-None-Match", required: false, schema: { type: "string" } }]
    : [])
]

/** The body's shape, or undefined where the operation has none. A PATCH needs at least one member (§4.3). */
export const bodyOf = (row: Operation): JsonSchema | undefined => {
  if (row.body === undefined) return undefined
  const shape = jsonSchemaOf(row.body, row.closed?.at)
  return row.method === "PATCH" ? { ...shape, minProperties: 1 } : shape
}

/** The members of a body as inputs, for a reference that lists them. */
export const bodyInputsOf = (row: Operation): ReadonlyArray<Input> => {
  const shape = bodyOf(row)
  return shape === undefined ? [] : membersOf("body", shape)
}

const membersOf = (place: Input["in"], { properties, required }: JsonSchema): ReadonlyArray<Input> => {
  const needed: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
  return Object.entries(isShapes(properties) ? properties : {}).map(([name, schema]) => ({
    in: place,
    name,
    required: needed.includes(name),
    schema
  }))
}

const isShapes = (value: unknown): value is Readonly<Record<string, JsonSchema>> =>
  typeof value === "object" && value !== null
