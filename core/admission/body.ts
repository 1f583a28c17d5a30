import * as Result from "effect/Result"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { fieldFault, refusedFields } from "../error/fieldFaults.ts"

/** A body as it came off the wire. `Malformed`: not UTF-8. */
export type BodyReading =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "Malformed" }

/** Contract §1: over-long bodies, header blocks and URLs are VALIDATION_OUT_OF_RANGE. */
export const bodyBytesMax = 256 * 1024

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
  if (encoded) return refused("REQUEST_UNSUPPORTED_CONTENT_TYPE", undefined, encodedHint)
  return isJson(input.contentType.trim()) ? undefined : refused("REQUEST_UNSUPPORTED_CONTENT_TYPE")
}

const encodedHint = "Send the body as it is, without the header Content-Encoding."

/** JSON in UTF-8; other parameters of the type mean nothing to it (RFC 8259 §11). */
const isJson = (type: string): boolean =>
  jsonType.test(type) && !otherCharset.test(type) && !type.includes(",")

const jsonType = /^application\/json\s*(;|$)/i

const otherCharset = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(;|$))/i

/**
 * What the body's JSON says, or why it says nothing: a Result, since a client's object may look like a
 * refusal. How deep and how wide it may be is judged by phi/scan.ts.
 */
export const readJson = (body: BodyReading): Result.Result<unknown, Refusal> => {
  if (body._tag === "TooLarge") {
    const says = `The body is larger than ${bodyBytesMax} bytes.`
    return Result.fail(refusedFields([fieldFault("/body", "out_of_range", says)]))
  }
  return body._tag === "Malformed" ? Result.fail(refused("VALIDATION_INVALID_JSON")) : parseJson(body.text)
}

const parseJson = (text: string): Result.Result<unknown, Refusal> => {
  const parsed = Result.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => refused("VALIDATION_INVALID_JSON")
  })
  return Result.isSuccess(parsed) && namesWritten(text) !== membersOf(parsed.success)
    ? Result.fail(refused("VALIDATION_INVALID_JSON", undefined, repeatedName))
    : parsed
}

/**
 * Of a name that stands twice in an object only the last value is left, so that nobody has judged the others;
 * the canonical form that fingerprints are made of (RFC 8785) knows no such object either.
 */
const repeatedName = "An object of the body holds a name twice: send each name once."

const namesWritten = (text: string): number => {
  let count = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) count += 1
  return count
}

const membersOf = (value: unknown): number => {
  let count = 0
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next !== "object" || next === null) continue
    const inner: ReadonlyArray<unknown> = Object.values(next)
    if (!Array.isArray(next)) count += inner.length
    for (const each of inner) left.push(each)
  }
  return count
}

/** What a request that brings no body is read as. */
export const noBody: BodyReading = { _tag: "Text", text: "" }
