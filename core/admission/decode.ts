import * as Result from "effect/Result"
import type { Refusal } from "../error/Refusal.ts"
import { refused } from "../error/Refusal.ts"
import type { FieldFault } from "../error/details.ts"
import { operationIds, operationRow } from "../operation/catalogue.ts"
import type { OperationId } from "../operation/catalogue.ts"
import type { CallRow } from "../operation/Operation.ts"
import { fieldName, joinWords } from "../error/fieldName.ts"
import { decoder, nulFaults } from "../operation/validate.ts"
import { fieldFault, refusedFields, unknownField } from "../error/fieldFaults.ts"
import type { Decoder } from "../operation/validate.ts"
import { contentTypeRefusal, readJson } from "./body.ts"
import { isObject } from "../json/isObject.ts"
import { phiRefusal } from "../phi/refuse.ts"
import { shapeOf } from "../operation/shape.ts"
import type { Shape } from "../operation/shape.ts"
import type { BodyReading } from "./body.ts"

/** What a call brings, before anything of it is believed. */
export interface RawInput {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** False: the query was no percent-encoded UTF-8. */
  readonly queryIsText?: boolean
  readonly accept: string | undefined
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
}

/** The decoded parts; an absent part is an empty object. */
export interface DecodedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** Names of the query that the operation does not know, at most `ignoredMax`; absent if it knows all. */
  readonly ignored?: ReadonlyArray<string>
}

interface Decoders {
  readonly row: CallRow
  readonly params: Decoder<unknown> | undefined
  readonly query: Decoder<unknown> | undefined
  readonly body: Decoder<unknown> | undefined
  /** What a query without any parameter decodes to, as most do; absent where it must say something. */
  readonly noQuery: unknown
  readonly shapes: { readonly query: Shape | undefined; readonly body: Shape | undefined }
}

/** What is not sent, or not asked for. */
const nothing: Readonly<Record<string, unknown>> = Object.freeze({})
const noJson: Result.Result<unknown, Refusal> = Result.succeed(nothing)

const isEmpty = (value: object): boolean => {
  for (const _ in value) return false
  return true
}

const compile = (row: CallRow): Decoders => {
  const query = row.query && decoder(row.query)
  const withoutQuery = query?.(nothing, "/query")
  return {
    row,
    params: row.params && decoder(row.params),
    query,
    body: row.body && decoder(row.body),
    noQuery: withoutQuery && Result.isSuccess(withoutQuery) ? withoutQuery.success : undefined,
    shapes: { query: row.query && shapeOf(row.query), body: row.body && shapeOf(row.body) }
  }
}

/** Reads the input of one operation. */
export type InputDecoder = (raw: RawInput, body: BodyReading) => DecodedInput | Refusal

/** How the input of an operation is read; its schemas are compiled once. */
export const inputDecoder = (id: OperationId): InputDecoder => inputDecoders[id]

/** Reads the input of an operation. */
export const decodeInput = (id: OperationId, raw: RawInput, body: BodyReading): DecodedInput | Refusal =>
  inputDecoder(id)(raw, body)

/**
 * Step 8 up to the cursor: 406, content type, JSON, PHI, schema; every fault of every part is listed at once.
 */
const decode = (parts: Decoders, raw: RawInput, body: BodyReading): DecodedInput | Refusal => {
  const { row, noQuery, shapes } = parts
  if (row.jsonOnly === true && !acceptsJson(raw)) return refused("REQUEST_FORMAT_NOT_ACCEPTABLE")
  const sent = hasNoBody(row, body) ? noJson : jsonOf(raw, body)
  if (Result.isFailure(sent)) return sent.failure
  const hasQuery = !isEmpty(raw.query)
  const identified = hasQuery || sent !== noJson ? identifiedIn(raw, sent.success, shapes) : undefined
  if (identified !== undefined) return identified
  if (raw.queryIsText === false) return notText
  const written = sent.success
  if (!isJsonObject(written)) return notAnObject
  const json = withoutNulls(written, shapes.body)
  const faults: Array<FieldFault> =
    row.body === undefined ? [] : [...closedFaults(row, written), ...emptyPatch(row, json, shapes.body)]
  const decodePart = (by: Decoder<unknown> | undefined, value: unknown, base: string): unknown => {
    if (by === undefined) return nothing
    const result = by(value, base)
    // Only what the operation knows is looked at; a cursor is judged as a cursor.
    const found = Result.isSuccess(result) ? nulFaults(result.success, base) : result.failure
    for (const fault of found)
      if (fault.path !== "/query/cursor" || fault.code !== "invalid_format")
        faults.push(once(fault, raw.query))
    return Result.isSuccess(result) ? result.success : nothing
  }
  const decoded = {
    params: decodePart(parts.params, raw.params, "/path"),
    query: (hasQuery ? undefined : noQuery) ?? decodePart(parts.query, raw.query, "/query"),
    body: decodePart(parts.body, json, "/body")
  }
  if (faults.length > 0) return refusedFields(faults)
  const ignored = hasQuery ? ignoredIn(raw.query, shapes.query) : none
  return ignored.length > 0 ? { ...decoded, ignored } : decoded
}

/** Names of a query that are listed as ignored (contract §1). */
export const ignoredMax = 20

const ignoredIn = (query: RawInput["query"], shape: Shape | undefined): ReadonlyArray<string> =>
  Object.keys(query)
    .filter((name) => shape?.members.has(name) !== true)
    .slice(0, ignoredMax)

const none: ReadonlyArray<string> = []

/**
 * Returns the object without its null members, which count as absent (contract §1), also in the objects
 * within it that a schema describes. A null in a list, or under a name that is data, stays and is rejected.
 */
const withoutNulls = <Sent extends Readonly<Record<string, unknown>>>(
  sent: Sent,
  shape: Shape | undefined
): Sent => {
  if (shape === undefined) return sent
  let kept: Record<string, unknown> | undefined
  for (const name in sent) {
    const value: unknown = sent[name]
    const inner = isObject(value) ? withoutNulls(value, memberShape(shape, name)) : value
    if (inner !== null && inner === value) continue
    kept ??= { ...sent }
    if (inner === null) delete kept[name]
    else kept[name] = inner
  }
  return (kept ?? sent) as Sent
}

/** The shape of a member that is an object with members of its own. */
const memberShape = (shape: Shape, name: string): Shape | undefined => {
  const member = shape.members.get(name)
  return member !== undefined && member.members.size > 0 ? member : undefined
}

const inputDecoders = Object.fromEntries(
  operationIds.map((id): [OperationId, InputDecoder] => {
    const decoders = compile(operationRow(id))
    return [id, (raw, body) => decode(decoders, raw, body)]
  })
) as Readonly<Record<OperationId, InputDecoder>>

const isJsonObject = (json: unknown): json is typeof nothing => json === nothing || isObject(json)

/** A patient identifier in what was sent, or more than is looked through. */
const identifiedIn = (raw: RawInput, json: unknown, shapes: Decoders["shapes"]): Refusal | undefined =>
  phiRefusal([
    { base: "/query", value: raw.query, shape: shapes.query },
    { base: "/body", value: json, shape: shapes.body }
  ])

/** A name given several times is a list, and each of it may be right: the fault says what is wrong. */
const once = (fault: FieldFault, query: RawInput["query"]): FieldFault => {
  const [, part, name = ""] = fault.path.split("/")
  if (part !== "query" || !Array.isArray(query[name])) return fault
  const field = fieldName(fault.path)
  return { ...fault, message: `${field} was given more than once. It${fault.message.slice(field.length)}` }
}

const jsonOf = (raw: RawInput, body: BodyReading): Result.Result<unknown, Refusal> => {
  const wrongType = contentTypeRefusal({ ...raw, body })
  return wrongType === undefined ? readJson(body) : Result.fail(wrongType)
}

const notAnObject = refusedFields([fieldFault("/body", "invalid", "The body takes a JSON object.")])

const notText = refusedFields([
  fieldFault("/query", "invalid_format", "The query is percent-encoded UTF-8 throughout.")
])

/** Not asked for one, or left out where it may be. */
const hasNoBody = (row: CallRow, body: BodyReading): boolean =>
  row.body === undefined || (row.bodyOptional === true && body._tag === "Text" && body.text === "")

/** Members that a closed object does not know (contract §1). */
const closedFaults = (row: CallRow, body: Readonly<Record<string, unknown>>): ReadonlyArray<FieldFault> => {
  if (row.closed === undefined) return []
  const { at, members } = row.closed
  const object = at
    .split("/")
    .slice(2)
    .reduce<unknown>((value, step) => (isObject(value) ? value[step] : value), body)
  if (!isObject(object)) return []
  return Object.keys(object)
    .filter((name) => !members.includes(name))
    .map((name) => unknownField(at, name, members))
}

/** Names that the operation does not know are ignored, so a PATCH of these alone changes nothing either. */
const emptyPatch = (
  row: CallRow,
  body: Readonly<Record<string, unknown>>,
  shape: Shape | undefined
): ReadonlyArray<FieldFault> =>
  row.method === "PATCH" && shape !== undefined && !Object.keys(body).some((name) => shape.members.has(name))
    ? [
        fieldFault(
          "/body",
          "required",
          `The body needs at least one of ${joinWords([...shape.members.keys()], "and")}.`
        )
      ]
    : []

/** §4.6.3: JSON by name or by a range that holds it, and no other `format`. */
const acceptsJson = (raw: RawInput): boolean => {
  const format = raw.query["format"]
  if (format !== undefined && format !== "json") return false
  if (raw.accept === undefined || raw.accept.trim() === "") return true
  return raw.accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return jsonRanges.has(type) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

const jsonRanges: ReadonlySet<string> = new Set(["application/json", "application/*", "*/*"])

/**
 * What a header names and how much each is wanted, 0 to 1 (RFC 9110 §12.4.2), in lower case: `Accept` and
 * `Accept-Encoding` are written alike.
 */
export const qualities = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header
      .toLowerCase()
      .split(",")
      .map((entry) => {
        const [name = "", ...parameters] = entry.split(";").map((part) => part.trim())
        const quality = parameters.find((parameter) => parameter.startsWith("q="))
        return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const
      })
  )
