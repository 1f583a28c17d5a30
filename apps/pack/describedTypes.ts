import { describedMetas } from "../../adapters/http/openapi/components.ts"
import { operationIds } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { dataOf, describedBody, describedInputs } from "../../core/operation/descriptions/published.ts"
import type { JsonSchema } from "../../core/operation/jsonSchema.ts"

/**
 * Returns the declarations of adapters/client/fields.ts with a doc comment on every member. The type of each
 * member is looked up in the derived types, so it equals the catalogue's; only the objects are spelled out.
 */
export const describedTypes = (): string =>
  [
    'import type { DerivedData, DerivedInput, DerivedMetas } from "./derived.js"',
    "",
    "export interface Inputs {",
    ...operationIds.map(
      (id) => `  readonly ${id}: ${objectText(inputOf(id), `DerivedInput<"${id}">`, "  ")}`
    ),
    "}",
    "",
    "export interface Responses {",
    ...operationIds.map((id) => `  readonly ${id}: ${typeText(dataOf(id), `DerivedData<"${id}">`, "  ")}`),
    "}",
    "",
    "export interface Metas {",
    ...Object.entries(describedMetas()).map(
      ([name, meta]) => `  readonly ${name}: ${objectText(meta, `DerivedMetas["${name}"]`, "  ")}`
    ),
    "}",
    "",
    "export type Input<Id extends keyof Inputs> = Inputs[Id]",
    "export type Data<Id extends keyof Responses> = Responses[Id]",
    ""
  ].join("\n")

/** The path, query and body of an operation as one object. */
const inputOf = (id: OperationId): JsonSchema => {
  const schemas = [describedInputs(id, "path"), describedInputs(id, "query"), describedBody(id) ?? {}]
  return {
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
    required: schemas.flatMap(requiredOf)
  }
}

/** The type of a schema; `at` is where the derived types have it. */
const typeText = (schema: JsonSchema, at: string, indent: string): string => {
  const { additionalProperties, anyOf, items, properties } = schema
  if (isSchema(properties)) return objectText(schema, at, indent)
  if (isSchema(items) && hasMembers(items))
    return `ReadonlyArray<${typeText(items, `NonNullable<${at}>[number]`, indent)}>`
  if (isSchema(additionalProperties) && hasMembers(additionalProperties))
    return `{ readonly [name: string]: ${typeText(additionalProperties, `NonNullable<${at}>[string]`, indent)} }`
  const object = Array.isArray(anyOf) ? nullable(anyOf.filter(isSchema)) : undefined
  return object === undefined ? at : `${typeText(object, at, indent)} | null`
}

const objectText = (schema: JsonSchema, at: string, indent: string): string => {
  const required = requiredOf(schema)
  const members = Object.entries(Object(schema["properties"])).flatMap(([name, member]) =>
    isSchema(member)
      ? memberLines({ at, indent: `${indent}  `, isRequired: required.includes(name), name }, member)
      : []
  )
  return ["{", ...members, `${indent}}`].join("\n")
}

interface Member {
  readonly name: string
  readonly isRequired: boolean
  readonly at: string
  readonly indent: string
}

const memberLines = ({ at, indent, isRequired, name }: Member, schema: JsonSchema): ReadonlyArray<string> => {
  const inner = `NonNullable<${at}>["${name}"]`
  const type = typeText(schema, isRequired ? inner : `Exclude<${inner}, undefined>`, indent)
  const description = String(schema["description"]).replaceAll("*/", "*\\/")
  return [`${indent}/** ${description} */`, `${indent}readonly ${name}${isRequired ? "" : "?"}: ${type}`]
}

/** The object of an object that may be null; undefined for any other alternatives. */
const nullable = (alternatives: ReadonlyArray<JsonSchema>): JsonSchema | undefined => {
  const [object, ...others] = alternatives.filter(({ type }) => type !== "null")
  return object !== undefined && others.length === 0 && hasMembers(object) ? object : undefined
}

/** Whether a schema has an object with known members; those of alternatives are left to the derived types. */
const hasMembers = ({ additionalProperties, items, properties }: JsonSchema): boolean =>
  isSchema(properties) ||
  (isSchema(items) && hasMembers(items)) ||
  (isSchema(additionalProperties) && hasMembers(additionalProperties))

const requiredOf = ({ required }: JsonSchema): ReadonlyArray<unknown> =>
  Array.isArray(required) ? required : []

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
