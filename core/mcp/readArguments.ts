import * as Result from "effect/Result"
import { readJson } from "../admission/body.ts"
import { isObject } from "../json/isObject.ts"
import type { JsonSchema } from "../operation/jsonSchema.ts"

/**
 * Reads a tool's arguments as models send them (contract §3): an optional argument that is null or an empty
 * text is absent, and the JSON of an array, object, number or boolean sent as text is parsed if the argument
 * takes that type. Everything else is unchanged, codes above all, and left to the schema.
 */
export const readArguments = (schema: JsonSchema, input: unknown): unknown => {
  if (!isObject(input)) return input
  const properties: Readonly<Record<string, JsonSchema>> = Object(schema["properties"])
  const required: ReadonlyArray<unknown> = Array.isArray(schema["required"]) ? schema["required"] : []
  const entries = Object.entries(input).flatMap(([name, value]): ReadonlyArray<[string, unknown]> => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined) return [[name, value]]
    // A required argument that is null is missing; one that is an empty text is a value of its own.
    if (value === null || (value === "" && !required.includes(name))) return []
    return [[name, readValue(property, value)]]
  })
  return Object.fromEntries(entries)
}

const readValue = (schema: JsonSchema, value: unknown): unknown => {
  const { additionalProperties, type } = schema
  const parsed = typeof value === "string" ? parsedAs(type, value) : value
  if (type !== "object" || !isObject(parsed) || !isObject(additionalProperties)) return parsed
  return Object.fromEntries(
    Object.entries(parsed).map(([name, member]) => [name, readValue(additionalProperties, member)])
  )
}

/** Returns the value of a JSON text of the type, or the text itself if it is not one. */
const parsedAs = (type: unknown, text: string): unknown => {
  if (type === "string" || type === undefined) return text
  const json = type === "boolean" ? text.trim().toLowerCase() : text
  // An object with a repeated name is not read: one of the values would be lost.
  const read = readJson({ _tag: "Text", text: json })
  return Result.isSuccess(read) && isOfType(type, read.success) ? read.success : text
}

const isOfType = (type: unknown, value: unknown): boolean => {
  switch (type) {
    case "array":
      return Array.isArray(value)
    case "object":
      return isObject(value)
    case "boolean":
      return typeof value === "boolean"
    case "integer":
    case "number":
      return typeof value === "number"
    default:
      return false
  }
}
