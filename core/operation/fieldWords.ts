import { joinWords, stepsOf } from "../error/fieldName.ts"
import { expectedKeyword } from "./jsonSchema.ts"
import type { JsonSchema } from "./jsonSchema.ts"

/** What a field takes, as a predicate: `takes active, retired or all`, `is an integer from 1 to 100`. */
export const fieldTakes = (schema: JsonSchema): string => {
  const words = schema["enum"]
  if (Array.isArray(words)) return `takes ${joinWords(words.map(String), "or")}`
  return `${allowedWords(schema) === undefined ? "is" : "takes"} ${nounOf(schema)}`
}

/** The words of an enum, or of a comma list of them; undefined: any text of its form will do. */
export const allowedWords = (schema: JsonSchema): ReadonlyArray<string> | undefined => {
  const words = schema["enum"] ?? schema["x-allowed"] ?? (schema as Parts).anyOf?.[0]?.["x-allowed"]
  return Array.isArray(words) ? words.map(String) : undefined
}

/** The schema of the part of a value that a pointer below it names; undefined where it knows none. */
export const schemaAt = (schema: JsonSchema, path: string): JsonSchema | undefined =>
  stepsOf(path).slice(1).reduce<JsonSchema | undefined>(stepInto, schema)

const stepInto = (schema: JsonSchema | undefined, step: string): JsonSchema | undefined => {
  if (schema === undefined) return undefined
  const { additionalProperties, anyOf, items, properties } = schema as Parts
  if (anyOf !== undefined) return anyOf.map((one) => stepInto(one, step)).find((inner) => inner !== undefined)
  if (items !== undefined) return items
  if (properties !== undefined && Object.hasOwn(properties, step)) return properties[step]
  return typeof additionalProperties === "object" ? additionalProperties : undefined
}

interface Parts {
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | false
}

const nounOf = (schema: JsonSchema): string => {
  const { maximum, minimum, type } = schema
  const expected = schema[expectedKeyword]
  const { anyOf, items } = schema as Parts
  if (anyOf !== undefined) return anyOf.map(nounOf).join(", or ")
  switch (type) {
    case "integer":
      return `an integer from ${String(minimum)} to ${String(maximum)}`
    case "array": {
      const words = items === undefined ? undefined : allowedWords(items)
      const of = words === undefined ? "" : ` of ${joinWords(words, "and")}`
      return `a list${sized(schema, ["minItems", "maxItems"], "item") || of}`
    }
    case "string": {
      const noun = typeof expected === "string" ? expected : "text"
      const size = sized(schema, ["minLength", "maxLength"], "character")
      return noun.includes(",") && size !== "" ? `${noun},${size}` : `${noun}${size}`
    }
    default:
      return type === "object" ? "an object" : type === "boolean" ? "true or false" : `a ${String(type)}`
  }
}

/** ` of 1 to 20 characters`; nothing where the schema sets no size. */
const sized = (schema: JsonSchema, [low, high]: readonly [string, string], unit: string): string => {
  const [min, max] = [schema[low], schema[high]]
  if (max === undefined) return ""
  return min === 0 ? ` of at most ${String(max)} ${unit}s` : ` of ${String(min)} to ${String(max)} ${unit}s`
}
