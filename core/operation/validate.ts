import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { FieldFault } from "../error/details.ts"
import type { FaultKind } from "../error/fieldFaults.ts"
import { fieldFault, pointerStep } from "../error/fieldFaults.ts"
import { allowedWords, fieldTakes, schemaAt } from "./fieldWords.ts"
import { fieldName } from "../error/fieldName.ts"
import { jsonSchemaOf } from "./jsonSchema.ts"
import type { JsonSchema } from "./jsonSchema.ts"

export type Decoder<Type> = (input: unknown, base: string) => Result.Result<Type, ReadonlyArray<FieldFault>>

/**
 * A decoder that lists every fault, one per path; compiled once, when the catalogue is loaded. What is right,
 * as most input is, is decoded the short way, which stops at a first fault.
 */
export const decoder = <Type>(schema: Schema.ConstraintDecoder<Type>): Decoder<Type> => {
  const parse = SchemaParser.decodeUnknownResult(schema)
  const parseAll = SchemaParser.decodeUnknownResult(schema, { errors: "all", reportInput: true })
  return (input, base) => {
    const right = parse(input)
    if (Result.isSuccess(right)) return Result.succeed(right.success)
    const result = parseAll(input)
    if (Result.isSuccess(result)) return Result.succeed(result.success)
    const faults: Faults = new Map()
    collect(result.failure, base, faults)
    const fields = jsonSchemaOf(schema)
    return Result.fail([...faults].map(([path, found]) => inWords(path, found, schemaAt(fields, path))))
  }
}

/** The first fault of each path. */
type Faults = Map<string, FoundFault>

interface FoundFault {
  readonly kind: FaultKind
  /** The predicate that the field's own check returned, such as `holds several codes; send one code`. */
  readonly predicate?: string
}

/**
 * The fault in the words of the field's own check, else of the published schema: what the field takes, never
 * what was submitted.
 */
const inWords = (
  path: string,
  { kind, predicate }: FoundFault,
  field: JsonSchema | undefined
): FieldFault => {
  if (predicate !== undefined) return fieldFault(path, kind, `${fieldName(path)} ${predicate}.`)
  if (field === undefined) return fieldFault(path, kind)
  const allowed = allowedWords(field)
  const takes = kind === "required" ? `is required and ${fieldTakes(field)}` : fieldTakes(field)
  const fault = fieldFault(path, kind, `${fieldName(path)} ${takes}.`)
  return allowed === undefined ? fault : { ...fault, allowed }
}

const collect = (issue: SchemaIssue.Issue, path: string, faults: Faults): void => {
  switch (issue._tag) {
    case "Composite":
      return issue.issues.forEach((inner) => collect(inner, path, faults))
    case "Pointer":
      return collect(issue.issue, path + issue.path.map(pointerStep).join(""), faults)
    case "Encoding":
      return collect(issue.issue, path, faults)
    case "Filter":
      return note(path, filterKind(issue), faults, predicateOf(issue))
    case "MissingKey":
      return note(path, "required", faults)
    case "UnexpectedKey":
      return note(path, "unknown_field", faults)
    case "AnyOf":
      return collectNearest(issue, path, faults)
    case "InvalidType":
      return note(path, literalKind(issue), faults)
    case "OneOf":
    case "InvalidValue":
    case "Forbidden":
      return note(path, "invalid", faults)
  }
}

/** Of several shapes the one is meant whose type the value has: its own faults are told. */
const collectNearest = (issue: SchemaIssue.AnyOf, path: string, faults: Faults): void => {
  const near = issue.issues.filter((inner) => !isOtherType(inner))
  if (near.length === 0) note(path, literalKind(issue), faults)
  else near.forEach((inner) => collect(inner, path, faults))
}

const isOtherType = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "InvalidType" || (issue._tag === "Encoding" && isOtherType(issue.issue))

const note = (path: string, kind: FaultKind, faults: Faults, predicate?: string): void => {
  if (faults.has(path)) return
  faults.set(path, predicate === undefined ? { kind } : { kind, predicate })
}

/** A check that returns a text describes the fault itself. */
const predicateOf = ({ issue }: SchemaIssue.Filter): string | undefined =>
  issue._tag === "InvalidValue" ? issue.annotations?.message : undefined

const rangeChecks: ReadonlySet<string> = new Set([
  "effect/schema/isBetweenLength",
  "effect/schema/isBetweenCodePoints",
  "effect/schema/isBetween",
  "effect/schema/isMinLength",
  "effect/schema/isMaxLength"
])

/** A number that should be whole is of the wrong type, not of the wrong form. */
const typeChecks: ReadonlySet<string> = new Set(["effect/schema/isInt"])

const filterKind = (issue: SchemaIssue.Filter): FaultKind => {
  const id = issue.filter.annotations?.representation?.id
  if (id !== undefined && rangeChecks.has(id)) return "out_of_range"
  if (id === undefined || !typeChecks.has(id)) return "invalid_format"
  // A whole number that is no integer to the schema is too large to be an exact one.
  return typeof issue.input === "number" && !(issue.input % 1) ? "out_of_range" : "invalid"
}

/**
 * Text where one of several words was expected has the wrong form; anything else there has the wrong type.
 */
const literalKind = (issue: SchemaIssue.AnyOf | SchemaIssue.InvalidType): FaultKind => {
  const ast = issue.ast
  const words =
    ast._tag === "Literal" || (ast._tag === "Union" && ast.types.every((type) => type._tag === "Literal"))
  return words && typeof issue.input === "string" ? "invalid_format" : "invalid"
}

const nulFault = (path: string): FieldFault =>
  fieldFault(path, "invalid_format", `${fieldName(path)} is text without NUL characters.`)

/** Texts with a NUL character, which no store keeps and no code or name holds. */
export const nulFaults = (value: unknown, path: string): ReadonlyArray<FieldFault> => {
  if (typeof value === "string") return value.includes("\0") ? [nulFault(path)] : []
  if (typeof value !== "object" || value === null) return []
  const faults: Array<FieldFault> = []
  for (const name in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[name]
    // Most members are texts without one: those cost no pointer.
    if (typeof inner === "string" && !inner.includes("\0")) continue
    faults.push(...nulFaults(inner, path + pointerStep(name)))
  }
  return faults
}
