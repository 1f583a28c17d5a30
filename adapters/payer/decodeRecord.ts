import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { pointerStep } from "../../core/error/fieldFaults.ts"
import type { PayerFault } from "./PayerFileMalformed.ts"
import { PayerRecord, PolicyRecord, SourceRecord } from "./records.ts"

/** Where in a line and why. */
export type Fault = Omit<PayerFault, "line">

/** What a line may hold. */
export type LineRecord = SourceRecord | PayerRecord | PolicyRecord

/** What the line holds, or everything that is wrong with it. */
export const decodeRecord = (text: string): Result.Result<LineRecord, ReadonlyArray<Fault>> => {
  const json = jsonOf(text)
  if (json === undefined) return Result.fail([{ pointer: "", reason: "it is no JSON object" }])
  const record = "record" in json ? json.record : undefined
  if (record === "source") return decodeSource(json)
  if (record === "payer") return decodePayer(json)
  if (record === "policy") return decodePolicy(json)
  return Result.fail([{ pointer: "/record", reason: "it must be source, payer or policy" }])
}

const jsonOf = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const decoder = <Type>(schema: Schema.ConstraintDecoder<Type>) => {
  const parse = SchemaParser.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (value: object): Result.Result<Type, ReadonlyArray<Fault>> => {
    const decoded = parse(value)
    return Result.isSuccess(decoded)
      ? Result.succeed(decoded.success)
      : Result.fail(firstOfEachPlace(faultsIn(decoded.failure, "")))
  }
}

const decodeSource = decoder(SourceRecord)
const decodePayer = decoder(PayerRecord)
const decodePolicy = decoder(PolicyRecord)

const firstOfEachPlace = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  [...new Map(faults.toReversed().map((fault) => [fault.pointer, fault])).values()].toSorted(
    (a, b) => faults.indexOf(a) - faults.indexOf(b)
  )

const faultsIn = (issue: SchemaIssue.Issue, pointer: string): ReadonlyArray<Fault> => {
  switch (issue._tag) {
    case "Composite":
      return issue.issues.flatMap((inner) => faultsIn(inner, pointer))
    case "Pointer":
      return faultsIn(issue.issue, pointer + issue.path.map(pointerStep).join(""))
    case "Encoding":
      return faultsIn(issue.issue, pointer)
    case "Filter":
      return [{ pointer, reason: filterReason(issue) }]
    case "MissingKey":
      return [{ pointer, reason: "it is missing" }]
    case "UnexpectedKey":
      return [{ pointer, reason: "it is not known here" }]
    case "AnyOf":
      return nearest(issue, pointer)
    case "InvalidType":
    case "OneOf":
    case "InvalidValue":
    case "Forbidden":
      return [{ pointer, reason: "it has the wrong type or is none of the words that may stand here" }]
  }
}

/** Of several shapes the one is meant whose type the value has. */
const nearest = (issue: SchemaIssue.AnyOf, pointer: string): ReadonlyArray<Fault> => {
  const near = issue.issues.filter((inner) => inner._tag !== "InvalidType")
  return near.length === 0
    ? [{ pointer, reason: "it has the wrong type or is none of the words that may stand here" }]
    : near.flatMap((inner) => faultsIn(inner, pointer))
}

const filterReason = (issue: SchemaIssue.Filter): string => {
  const words = issue.filter.annotations?.["expected"]
  return typeof words === "string" ? `it must be ${words}` : "it has the wrong form or length"
}
