import type { JsonSchema } from "./jsonSchema.ts"

/** A longer name was not chosen by us and is cut, so that an answer stays small. */
const nameCharactersMax = 64

/** The field at a JSON pointer as people write it: `limit`, `codes[0]`, `parameters.age_category`. */
export const fieldName = (path: string): string => {
  const [part = "", ...steps] = stepsOf(path)
  if (steps.length === 0) return wholes[part] ?? `The ${part === "" ? "request" : part}`
  return `\`${steps.map(cut).reduce((name, step) => (isIndex(step) ? `${name}[${step}]` : `${name}.${step}`))}\``
}

/** What a field takes, as a predicate: `takes active, retired or all`, `is an integer from 1 to 100`. */
export const fieldTakes = (schema: JsonSchema): string => {
  const words = schema["enum"]
  if (Array.isArray(words)) return `takes ${listed(words.map(String), "or")}`
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
  const { description, maximum, minimum, type } = schema
  const { anyOf, items } = schema as Parts
  if (anyOf !== undefined) return anyOf.map(nounOf).join(", or ")
  switch (type) {
    case "integer":
      return `an integer from ${String(minimum)} to ${String(maximum)}`
    case "array": {
      const words = items === undefined ? undefined : allowedWords(items)
      const of = words === undefined ? "" : ` of ${listed(words, "and")}`
      return `a list${sized(schema, ["minItems", "maxItems"], "item") || of}`
    }
    case "string": {
      const noun = typeof description === "string" ? description : "text"
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

/** `a, b or c`. */
export const listed = (words: ReadonlyArray<string>, last: "and" | "or"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`

const stepsOf = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

const wholes: Readonly<Record<string, string>> = {
  body: "The body",
  query: "The query",
  arguments: "The arguments",
  url: "`url`",
  headers: "The header block"
}

const isIndex = (step: string): boolean => /^\d+$/.test(step)

const cut = (name: string): string =>
  name.length > nameCharactersMax ? `${name.slice(0, nameCharactersMax)}…` : name
