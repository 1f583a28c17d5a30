import type { JsonSchema } from "../jsonSchema.ts"
import { codeDescriptions } from "./code.ts"
import { decisionDescriptions } from "./coverage.ts"
import { policyDescriptions } from "./policy.ts"
import { serviceDescriptions } from "./service.ts"
import { toolDescriptions } from "./tool.ts"

/**
 * Describes every property and parameter that the service publishes, keyed by name. A name with several
 * meanings has longer keys too: `rvu.source` describes `source` inside `rvu`, `query.source` the query
 * parameter, `lookupCode.query.source` that of one operation, and `codes.query.source` that of every
 * operation under `/codes`. The longest key that ends a field's path applies. OpenAPI, the reference pages,
 * the MCP tools and the client's types all derive from this table.
 */
export const descriptions: Readonly<Record<string, string>> = {
  ...codeDescriptions,
  ...decisionDescriptions,
  ...policyDescriptions,
  ...serviceDescriptions,
  ...toolDescriptions
}

/**
 * The place of a field: what it belongs to (an operation and the first step of its path, an error code, a
 * tool), then the names that lead to it. Items of arrays and entries of maps add no name.
 */
export interface FieldPath {
  readonly owners: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
}

/** Returns the key of the description of a field; undefined if the table has none. */
export const descriptionKey = ({ names, owners }: FieldPath): string | undefined => {
  const suffixes = names.map((_, start) => names.slice(start).join("."))
  return [...owners.map((owner) => `${owner}.${suffixes[0]}`), ...suffixes].find((key) =>
    Object.hasOwn(descriptions, key)
  )
}

/** Adds a description to a field's own schema; a field that the table does not know stays without one. */
export const describeField = (schema: JsonSchema, path: FieldPath): JsonSchema => {
  const key = descriptionKey(path)
  const inner = describe(schema, path)
  return key === undefined ? inner : { description: descriptions[key], ...inner }
}

/** Adds a description to every property of a schema, at every depth. */
export const describe = (schema: JsonSchema, path: FieldPath): JsonSchema => ({
  ...schema,
  ...mapped(schema, path, "items"),
  ...mapped(schema, path, "additionalProperties"),
  ...mappedList(schema, path, "anyOf"),
  ...mappedList(schema, path, "allOf"),
  ...describedProperties(schema, path)
})

const describedProperties = ({ properties }: JsonSchema, { names, owners }: FieldPath): JsonSchema =>
  isSchema(properties)
    ? {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, inner]) => [
            name,
            isSchema(inner) ? describeField(inner, { owners, names: [...names, name] }) : inner
          ])
        )
      }
    : {}

const mapped = (schema: JsonSchema, path: FieldPath, keyword: string): JsonSchema => {
  const inner = schema[keyword]
  return isSchema(inner) ? { [keyword]: describe(inner, path) } : {}
}

const mappedList = (schema: JsonSchema, path: FieldPath, keyword: string): JsonSchema => {
  const inner = schema[keyword]
  return Array.isArray(inner)
    ? { [keyword]: inner.map((one: unknown) => (isSchema(one) ? describe(one, path) : one)) }
    : {}
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
