import { dataOf } from "../../core/operation/descriptions/published.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import type { JsonSchema } from "../../core/operation/jsonSchema.ts"
import { code } from "./markdown.ts"
import { shapeText } from "./shapeText.ts"

/** One field of a request or a response, as a table of the reference lists it. */
interface FieldRow {
  readonly name: string
  readonly isRequired: boolean
  readonly type: string
  readonly description: string
}

/**
 * Returns the fields of a described schema at every depth, each after the object that contains it. Names are
 * paths such as `conditions[].text` and `results.{name}.found`.
 */
export const fieldRows = (schema: JsonSchema, prefix = ""): ReadonlyArray<FieldRow> => {
  const { additionalProperties, anyOf, items, properties } = schema
  const required: ReadonlyArray<unknown> = Array.isArray(schema["required"]) ? schema["required"] : []
  return [
    ...membersOf(properties).flatMap(([name, member]) => [
      {
        name: `${prefix}${name}`,
        isRequired: required.includes(name),
        type: shapeText(outline(member)),
        description: String(member["description"] ?? "")
      },
      ...fieldRows(member, `${prefix}${name}${separator(member)}`)
    ]),
    ...(isSchema(items) ? fieldRows(items, prefix) : []),
    ...(isSchema(additionalProperties) ? fieldRows(additionalProperties, prefix) : []),
    ...merged(Array.isArray(anyOf) ? anyOf.filter(isSchema).map((one) => fieldRows(one, prefix)) : [])
  ]
}

/** Returns the cells of the table of a response's fields. */
export const responseRows = (id: OperationId): ReadonlyArray<ReadonlyArray<string>> =>
  fieldRows(dataOf(id)).map(({ description, isRequired, name, type }) => [
    code(name),
    isRequired ? "yes" : "no",
    type,
    description
  ])

/** Lists a field of several alternatives once. It is required if every one with fields requires it. */
const merged = (alternatives: ReadonlyArray<ReadonlyArray<FieldRow>>): ReadonlyArray<FieldRow> => {
  const withFields = alternatives.filter((rows) => rows.length > 0)
  return [...Map.groupBy(withFields.flat(), (row) => row.name).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const types = [...new Set(same.map((row) => row.type))].join(", ")
    const isRequired = same.length === withFields.length && same.every((row) => row.isRequired)
    return [{ ...first, type: types, isRequired }]
  })
}

/** The text between the name of a field and the names of the fields inside it. */
const separator = (schema: JsonSchema): string => {
  const { additionalProperties, anyOf, items } = schema
  if (isSchema(items)) return `[]${separator(items)}`
  if (isSchema(additionalProperties)) return `.{name}${separator(additionalProperties)}`
  const inner = Array.isArray(anyOf) ? anyOf.filter(isSchema).find(hasFields) : undefined
  return inner === undefined ? "." : separator(inner)
}

const hasFields = (schema: JsonSchema): boolean => fieldRows(schema).length > 0

/** A schema without the members of its objects, which have rows of their own. */
const outline = ({ description: _, properties, ...schema }: JsonSchema): JsonSchema => {
  const { additionalProperties, anyOf, items } = schema
  return {
    ...schema,
    ...(isSchema(items) ? { items: outline(items) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: outline(additionalProperties) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: distinct(anyOf.filter(isSchema).map(outline)) } : {})
  }
}

const distinct = (schemas: ReadonlyArray<JsonSchema>): ReadonlyArray<JsonSchema> => [
  ...new Map(schemas.map((one) => [shapeText(one), one])).values()
]

const membersOf = (properties: unknown): ReadonlyArray<readonly [string, JsonSchema]> =>
  isSchema(properties)
    ? Object.entries(properties).flatMap(([name, member]) =>
        isSchema(member) ? [[name, member] as const] : []
      )
    : []

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
