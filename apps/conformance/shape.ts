import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { pointerStep } from "../../core/error/fieldFaults.ts"
import { at, unless } from "./request.ts"
import { isSecret } from "./secrets.ts"

/** At most so many members are named, and so many characters of each told. */
const told = { members: 3, characters: 24, expected: 120 } as const

/** A value that is not of the shape: which member, what was expected there, and what came. */
export const shapeFaults = (
  name: string,
  schema: Schema.Top | undefined,
  value: unknown
): ReadonlyArray<string> => {
  if (schema === undefined) return unless(value === undefined, `${name} is there and should not be`)
  if (value === undefined) return [`${name} is missing`]
  const parse = SchemaParser.decodeUnknownResult(schema as unknown as Schema.ConstraintDecoder<unknown>, {
    errors: "all"
  })
  const parsed = parse(value)
  if (Result.isSuccess(parsed)) return []
  const { issues } = format(parsed.failure)
  const more = issues.length - told.members
  return [
    `${name} does not fit: ${issues
      .slice(0, told.members)
      .map((issue) => sentence(issue, value))
      .join(", ")}${more > 0 ? `, and ${more} more` : ""}`
  ]
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

type Issue = ReturnType<typeof format>["issues"][number]

const sentence = ({ message, path = [] }: Issue, value: unknown): string => {
  const steps = path.map((step) => (typeof step === "object" ? step.key : step))
  const where = steps.map(pointerStep).join("") || "the whole"
  const came = at(value, ...steps.map(String))
  if (came === undefined) return `${where} is missing`
  return `${where}: ${message.slice(0, told.expected)}, came ${shown(came, where)}`
}

/** Short, and nothing that opens something. */
const shown = (value: unknown, where: string): string => {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === "object" && value !== null) return "an object"
  if (typeof value !== "string") return String(value)
  if (isSecret(value) || /secret|key|token|signature/i.test(where))
    return `text of ${value.length} characters`
  const cut = value.slice(0, told.characters)
  return JSON.stringify(cut) + (cut === value ? "" : "…")
}
