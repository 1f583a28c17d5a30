import { expectedKeyword } from "../../core/operation/jsonSchema.ts"
import type { JsonSchema } from "../../core/operation/jsonSchema.ts"
import { code } from "./markdown.ts"

/** A shape in a few words for a cell of a table: its type, its range, its words. */
export const shapeText = (shape: JsonSchema): string => {
  const { anyOf, enum: words } = shape
  const expected = shape[expectedKeyword]
  const form = typeof expected === "string" ? `: ${expected}` : ""
  if (Array.isArray(words)) return words.map((word) => code(String(word))).join(", ")
  if (Array.isArray(anyOf)) return anyOf.map((one) => shapeText(one)).join(", or ")
  if ("const" in shape) return code(String(shape["const"]))
  return `${typeText(shape)}${form}`
}

const typeText = (shape: JsonSchema): string => {
  const { items, properties, type } = shape
  if (Array.isArray(type)) return type.map((one) => typeText({ type: one })).join(" or ")
  switch (type) {
    case "string":
      return `text${rangeText(shape["minLength"], shape["maxLength"], " characters")}`
    case "integer":
    case "number":
      return `${type}${rangeText(shape["minimum"], shape["maximum"], "")}`
    case "array":
      return `list${rangeText(shape["minItems"], shape["maxItems"], "")} of ${partText(items)}`
    case "object":
      return isShape(properties) ? `object {${membersText(properties)}}` : mapText(shape)
    default:
      return typeof type === "string" ? type : "anything"
  }
}

const membersText = (properties: JsonSchema): string =>
  Object.entries(properties)
    .map(([name, member]) => `${code(name)} ${partText(member)}`)
    .join("; ")

const mapText = ({ additionalProperties }: JsonSchema): string =>
  isShape(additionalProperties) ? `object of ${shapeText(additionalProperties)} by name` : "object"

const rangeText = (min: unknown, max: unknown, unit: string): string =>
  typeof min === "number" && typeof max === "number" ? ` ${min} to ${max}${unit}` : ""

const partText = (part: unknown): string => (isShape(part) ? shapeText(part) : "anything")

const isShape = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null
