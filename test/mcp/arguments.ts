import * as fc from "fast-check"
import { listTools } from "../../core/mcp/listing.ts"
import type { JsonSchema } from "../../core/operation/jsonSchema.ts"
import type { ToolName } from "../../core/mcp/tools.ts"

type Arguments = Readonly<Record<string, unknown>>

/** What JSON Schema does not say of a text; every other text is of as many letters as it may have. */
const wellFormed: Readonly<Record<string, fc.Arbitrary<string>>> = {
  as_of: fc.constantFrom("2026-02-28", "2024-02-29", "1966-07-01"),
  date_of_service: fc.constantFrom("2026-02-28", "2024-02-29"),
  state: fc.constantFrom("TX", "ca"),
  procedure_codes: fc.constantFrom("E0601", "97110", "k0001 ", "20610"),
  procedure_code: fc.constantFrom("E0601", "0627t"),
  diagnosis_codes: fc.constantFrom("E11.65", "e1165", "I10"),
  icd10: fc.constantFrom("E11.65", "M1711"),
  modifiers: fc.constantFrom("59", "rt")
}

/** Arguments as the listed input schema allows them, at the edges of its ranges. */
export const argumentsOf = (name: ToolName): fc.Arbitrary<Arguments> => {
  const listed = listTools().find((tool) => tool.name === name)
  const { properties = {}, required = [] } = (listed?.inputSchema ?? {}) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>
    readonly required?: ReadonlyArray<string>
  }
  const model = Object.fromEntries(
    Object.entries(properties).map(([argument, schema]) => [argument, valueOf(argument, schema)])
  )
  return fc.record(model, { requiredKeys: [...required] })
}

const valueOf = (argument: string, schema: JsonSchema): fc.Arbitrary<unknown> => {
  const number = (keyword: string, usual: number) => Number(schema[keyword] ?? usual)
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"])
  switch (schema["type"]) {
    case "integer":
      return fc.constantFrom(number("minimum", 0), number("maximum", 9))
    case "boolean":
      return fc.boolean()
    case "array":
      return fc.array(valueOf(argument, Object(schema["items"])), {
        minLength: number("minItems", 0),
        maxLength: number("maxItems", 5)
      })
    case "object":
      return fc.dictionary(fc.constantFrom("97110", "E0601"), fc.integer({ min: 1, max: 99_999 }))
    default:
      return (
        wellFormed[argument] ??
        fc.constantFrom(number("minLength", 1), number("maxLength", 30)).map((length) => "w".repeat(length))
      )
  }
}
