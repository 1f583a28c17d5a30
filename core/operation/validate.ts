import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { FieldFault } from "../error/details.ts"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"

/**
 * The kinds of fault, each with the code it is refused with when it stands alone (contract §1, Validation).
 */
const faultKinds = {
  required: { code: "VALIDATION_REQUIRED_FIELD", message: "This field is required." },
  out_of_range: { code: "VALIDATION_OUT_OF_RANGE", message: "This value or its length is out of range." },
  invalid_format: {
    code: "VALIDATION_INVALID_FORMAT",
    message: "This value does not have the required format."
  },
  invalid: { code: "VALIDATION_ERROR", message: "This value has the wrong type." },
  unknown_field: { code: "VALIDATION_ERROR", message: "This field is not known here." }
} as const
export type FaultKind = keyof typeof faultKinds

/** At most this many faults are listed, so that an answer stays small however bad the request. */
const faultsMax = 50

export const fieldFault = (path: string, kind: FaultKind, message?: string): FieldFault => ({
  path,
  code: kind,
  message: message ?? faultKinds[kind].message
})

/** One kind of fault answers with its own code, several kinds with VALIDATION_ERROR. */
export const refusedFields = (faults: ReadonlyArray<FieldFault>): Refusal => {
  const codes = new Set(faults.map((fault) => kindOf(fault).code))
  const fields = faults.slice(0, faultsMax)
  const [only] = codes
  return codes.size === 1 && only !== undefined
    ? refused(only, { fields })
    : refused("VALIDATION_ERROR", { fields })
}

const kindOf = (fault: FieldFault) =>
  fault.code in faultKinds ? faultKinds[fault.code as FaultKind] : faultKinds.invalid

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
    const faults = new Map<string, FieldFault>()
    collect(result.failure, base, faults)
    return Result.fail([...faults.values()])
  }
}

const collect = (issue: SchemaIssue.Issue, path: string, faults: Map<string, FieldFault>): void => {
  switch (issue._tag) {
    case "Composite":
      return issue.issues.forEach((inner) => collect(inner, path, faults))
    case "Pointer":
      return collect(issue.issue, path + issue.path.map(pointerStep).join(""), faults)
    case "Encoding":
      return collect(issue.issue, path, faults)
    case "Filter":
      return note(path, filterKind(issue), messageOf(issue), faults)
    case "MissingKey":
      return note(path, "required", undefined, faults)
    case "UnexpectedKey":
      return note(path, "unknown_field", undefined, faults)
    case "AnyOf":
      return collectNearest(issue, path, faults)
    case "InvalidType":
      return note(path, literalKind(issue), undefined, faults)
    case "OneOf":
    case "InvalidValue":
    case "Forbidden":
      return note(path, "invalid", undefined, faults)
  }
}

/** Of several shapes the one is meant whose type the value has: its own faults are told. */
const collectNearest = (issue: SchemaIssue.AnyOf, path: string, faults: Map<string, FieldFault>): void => {
  const near = issue.issues.filter((inner) => !isOtherType(inner))
  if (near.length === 0) note(path, literalKind(issue), undefined, faults)
  else near.forEach((inner) => collect(inner, path, faults))
}

const isOtherType = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "InvalidType" || (issue._tag === "Encoding" && isOtherType(issue.issue))

const note = (
  path: string,
  kind: FaultKind,
  message: string | undefined,
  faults: Map<string, FieldFault>
): void => {
  if (!faults.has(path)) faults.set(path, fieldFault(path, kind, message))
}

/** RFC 6901: `~` and `/` in a member's name are escaped. */
export const pointerStep = (step: PropertyKey): string =>
  `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`

const rangeChecks: ReadonlySet<string> = new Set([
  "effect/schema/isBetweenLength",
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

/** `expected` is our own text about the field, never the submitted value. */
const messageOf = (issue: SchemaIssue.Filter): string | undefined => {
  const expected = issue.filter.annotations?.["expected"]
  return typeof expected === "string" ? `Expected ${expected}.` : undefined
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
