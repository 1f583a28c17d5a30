import { operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { describeField } from "../../../core/operation/descriptions/describe.ts"
import { describedBody, describedInputs, fieldOf } from "../../../core/operation/descriptions/published.ts"
import type { JsonSchema } from "../../../core/operation/jsonSchema.ts"

/** One input of an operation, as its reference lists it. */
export interface Input {
  readonly in: "path" | "query" | "header" | "body"
  readonly name: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}

/** Returns what an operation takes from its path, its query and its headers. */
export const parametersOf = (id: OperationId): ReadonlyArray<Input> => [
  ...membersOf("path", describedInputs(id, "path")),
  ...membersOf("query", describedInputs(id, "query")),
  ...(operationRow(id).etag === true ? [headerInput(id, "If-None-Match", { type: "string" })] : [])
]

/** Returns an optional request header. */
export const headerInput = (id: OperationId, name: string, schema: JsonSchema): Input =>
  inputOf({ in: "header", name, required: false }, describeField(schema, fieldOf(id, "header", name)))

/** Returns the shape of the body; undefined if the operation has none. A PATCH needs a member (§4.3). */
export const bodyOf = (id: OperationId): JsonSchema | undefined => {
  const shape = describedBody(id)
  return shape !== undefined && operationRow(id).method === "PATCH" ? { ...shape, minProperties: 1 } : shape
}

const membersOf = (place: Input["in"], { properties, required }: JsonSchema): ReadonlyArray<Input> => {
  const needed: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
  return Object.entries(isShapes(properties) ? properties : {}).map(([name, schema]) =>
    inputOf({ in: place, name, required: needed.includes(name) }, schema)
  )
}

/** Moves the description from the schema to the input, where OpenAPI expects that of a parameter. */
const inputOf = (
  input: Pick<Input, "in" | "name" | "required">,
  { description, ...schema }: JsonSchema
): Input => ({ ...input, description: String(description ?? ""), schema })

const isShapes = (value: unknown): value is Readonly<Record<string, JsonSchema>> =>
  typeof value === "object" && value !== null
