import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"

/** What a cursor is bound to: any other use of it is REQUEST_INVALID_CURSOR (contract §1, Lists). */
export interface CursorBinding {
  readonly organization: string
  readonly operation: string
  /** The query but for its cursor, limit and include, in canonical writing. */
  readonly filters: string
}

export type Sign = (text: string) => string

/** Opaque, authenticated and deterministic: the position in base64url, a dot, and its signature. */
export const writeCursor = (input: {
  readonly position: unknown
  readonly binding: CursorBinding
  readonly sign: Sign
}): string => {
  const payload = Base64Url.encode(JSON.stringify(input.position))
  return `${payload}.${input.sign(signedText(payload, input.binding))}`
}

/** Undefined: not a cursor of ours for this use. Any of the keys may have signed it. */
export const readCursor = (input: {
  readonly cursor: string
  readonly binding: CursorBinding
  readonly signs: ReadonlyArray<Sign>
}): { readonly position: unknown } | undefined => {
  const [payload = "", signature = "", ...rest] = input.cursor.split(".")
  if (rest.length > 0 || signature === "") return undefined
  const text = signedText(payload, input.binding)
  if (!input.signs.some((sign) => equalInConstantTime(sign(text), signature))) return undefined
  return Base64Url.decodeString(payload).pipe(
    Result.map((json) => ({ position: JSON.parse(json) as unknown })),
    Result.getOrUndefined
  )
}

/** The parts are written as JSON, so that no two different bindings give one text. */
const signedText = (payload: string, binding: CursorBinding): string =>
  JSON.stringify(["cursor.v1", binding.organization, binding.operation, binding.filters, payload])

/** A comparison whose time does not tell where the texts part. */
const equalInConstantTime = (left: string, right: string): boolean => {
  let difference = left.length ^ right.length
  for (let index = 0; index < left.length; index++)
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}

const unboundNames: ReadonlySet<string> = new Set(["cursor", "limit", "include"])

/** The filters of a query in canonical writing: sorted by name. */
export const filtersOf = (query: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.entries(query)
      .filter(([name]) => !unboundNames.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )
