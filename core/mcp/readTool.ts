import * as Result from "effect/Result"
import type { BodyReading } from "../admission/body.ts"
import { decodeInput } from "../admission/decode.ts"
import type { DecodedInput, RawInput } from "../admission/decode.ts"
import type { Refusal } from "../error/Refusal.ts"
import { isRefusal } from "../error/Refusal.ts"
import type { FieldFault } from "../error/details.ts"
import { stepsOf } from "../error/fieldName.ts"
import { shapeOf } from "../operation/shape.ts"
import type { Shape } from "../operation/shape.ts"
import { refusedFields } from "../error/fieldFaults.ts"
import { phiRefusal } from "../phi/refuse.ts"
import { readArguments } from "./readArguments.ts"
import { argumentsBase } from "./Tool.ts"
import type { Part, ReadId, Show, OperationInput } from "./Tool.ts"
import { toolNames, tools } from "./tools.ts"
import type { ToolName } from "./tools.ts"

/** A part of a call whose input its operation takes. */
export interface ReadPart {
  readonly name: string
  readonly operation: ReadId
  readonly input: DecodedInput
  readonly show: Show | undefined
}

const shapes = new Map<ToolName, Shape>(toolNames.map((name) => [name, shapeOf(tools[name].input)]))

/**
 * Step 8 of a tool's call up to the cursors: PHI in its arguments, as they were sent and as they are read,
 * then their schema, then each part as its operation reads it. Repeats nothing that was submitted.
 */
export const readTool = (name: ToolName, input: unknown): ReadonlyArray<ReadPart> | Refusal => {
  const shape = shapes.get(name)
  const { partsOf, schema } = tools[name]
  const found = (value: unknown) => phiRefusal([{ base: argumentsBase, value, shape }])
  const identified = found(input)
  if (identified !== undefined) return identified
  const arguments_ = readArguments(schema, input)
  // A text that is JSON holds names and values that the first scan saw as one text.
  const hidden = found(arguments_)
  if (hidden !== undefined) return hidden
  const parts = partsOf(arguments_)
  if (Result.isFailure(parts)) return refusedFields(parts.failure.map(askForArray(shape, arguments_)))
  const read: Array<ReadPart> = []
  for (const part of parts.success) {
    const decoded = decodePart(part)
    if (isRefusal(decoded)) return atArguments(decoded)
    read.push({ name: part.name, operation: part.operation, input: decoded, show: part.show })
  }
  return read
}

/** Adds to the fault of a text that was sent for a list how to send the list. */
const askForArray =
  (shape: Shape | undefined, input: unknown) =>
  (fault: FieldFault): FieldFault => {
    const [, argument = "", ...inner] = stepsOf(fault.path)
    const items = shape?.members.get(argument)?.items
    if (items === undefined || inner.length > 0 || typeof Object(input)[argument] !== "string") return fault
    const unit = items.holds === "code" ? "code" : "value"
    const message = `${fault.message.replace(/\.$/, "")}: send a JSON array, one ${unit} per element.`
    return { ...fault, message }
  }

/** The part as its operation reads it, were it sent over HTTP. */
const decodePart = ({ operation, sent }: Part): DecodedInput | Refusal =>
  decodeInput(operation, rawOf(sent), bodyOf(sent))

const rawOf = ({ params = {}, query = {} }: OperationInput): RawInput => ({
  params,
  query: Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  ),
  accept: undefined,
  contentType: "application/json",
  contentEncoding: undefined
})

const bodyOf = ({ body }: OperationInput): BodyReading => ({
  _tag: "Text",
  text: body === undefined ? "" : JSON.stringify(body)
})

/** The same faults, where the arguments of that name stand. */
const atArguments = (refusal: Refusal): Refusal => {
  const { details } = refusal
  if (details === undefined || !("fields" in details) || !Array.isArray(details.fields)) return refusal
  const fields = details.fields.map((field) => ({
    ...field,
    path: field.path.replace(/^\/(path|query|body)/, argumentsBase)
  }))
  return { ...refusal, details: { fields } }
}
