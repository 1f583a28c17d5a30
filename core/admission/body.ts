import { fieldFault, pointerStep, refusedFields } from "../operation/validate.ts"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { FieldFault } from "../error/details.ts"
import * as Result from "effect/Result"

/** A body as it came off the wire. `Malformed`: not UTF-8. */
export type BodyReading =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "Malformed" }

/** Contract §1: over-long bodies, header blocks and URLs, and deep JSON are VALIDATION_OUT_OF_RANGE. */
export const bodyBytesMax = 256 * 1024
export const jsonDepthMax = 12
export const urlLengthMax = 8 * 1024
export const headerBytesMax = 16 * 1024

/** `application/json` in any case, in UTF-8; no content type at all is right only where no body was sent. */
export const contentTypeRefusal = (input: {
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly body: BodyReading
}): Refusal | undefined => {
  const empty = input.body._tag === "Text" && input.body.text === ""
  if (input.contentType === undefined) return empty ? undefined : refused("REQUEST_UNSUPPORTED_CONTENT_TYPE")
  const encoded = input.contentEncoding !== undefined && input.contentEncoding.toLowerCase() !== "identity"
  return isJson(input.contentType.trim()) && !encoded
    ? undefined
    : refused("REQUEST_UNSUPPORTED_CONTENT_TYPE")
}

/** JSON in UTF-8; other parameters of the type mean nothing to it (RFC 8259 §11). */
const isJson = (type: string): boolean =>
  jsonType.test(type) && !otherCharset.test(type) && !type.includes(",")

const jsonType = /^application\/json\s*(;|$)/i
const otherCharset = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(;|$))/i

/** The object a body holds, or why it holds none. */
export const readJsonObject = (body: BodyReading): Readonly<Record<string, unknown>> | Refusal => {
  if (body._tag === "TooLarge") {
    return refusedFields([
      fieldFault("/body", "out_of_range", `The body is larger than ${bodyBytesMax} bytes.`)
    ])
  }
  if (body._tag === "Malformed") return refused("VALIDATION_INVALID_JSON")
  const parsed = parseJson(body.text)
  if (Result.isFailure(parsed)) return refused("VALIDATION_INVALID_JSON")
  if (isTooDeep(parsed.success)) {
    return refusedFields([
      fieldFault("/body", "out_of_range", `The body is nested deeper than ${jsonDepthMax} levels.`)
    ])
  }
  return isObject(parsed.success)
    ? parsed.success
    : refusedFields([fieldFault("/body", "invalid", "Expected an object.")])
}

const parseJson = (text: string) =>
  Result.try({ try: () => JSON.parse(text) as unknown, catch: () => "not JSON" as const })

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Walks level by level, so that no nesting, however deep, exhausts the stack. */
const isTooDeep = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const containers = level.filter((item) => typeof item === "object" && item !== null)
    if (containers.length > 0 && depth >= jsonDepthMax) return true
    level = containers.flatMap((item) => Object.values(item as object))
  }
  return false
}

/** Texts with a NUL character, which no store keeps and no code or name holds. */
export const nulFaults = (value: unknown, path: string): ReadonlyArray<FieldFault> => {
  if (typeof value === "string") return value.includes("\0") ? [fieldFault(path, "invalid_format")] : []
  if (typeof value !== "object" || value === null) return []
  const faults: Array<FieldFault> = []
  for (const [name, inner] of Object.entries(value)) {
    // Most members are texts without one: those cost no pointer.
    if (typeof inner === "string" && !inner.includes("\0")) continue
    faults.push(...nulFaults(inner, path + pointerStep(name)))
  }
  return faults
}
