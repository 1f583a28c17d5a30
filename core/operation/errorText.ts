import { docUrl, errorRow } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { ErrorCode } from "../error/table.ts"

/** Where the service is published, and where its users find help. */
export interface Publication {
  readonly baseUrl: string
  readonly supportUrl: string
}

/** The JSON text of an error's object (§7.1). */
export const errorText = (refusal: Refusal, publication: Publication): string => {
  const { details } = refusal
  const text = refusal.message === undefined ? usual(refusal, publication) : writeError(refusal, publication)
  return details === undefined ? `${text}}` : `${text},"details":${JSON.stringify(details)}}`
}

/**
 * What of an error is the same whenever a code is refused with a hint is written once, up to its closing
 * brace: hints are the table's or the kernel's own texts, so there are few. A process has one publication.
 */
const written = new WeakMap<Publication, Map<ErrorCode, Map<string | undefined, string>>>()

const usual = (refusal: Refusal, publication: Publication): string => {
  const byCode = held(written, publication, makeByCode)
  const byHint = held(byCode, refusal.code, makeByHint)
  const known = byHint.get(refusal.hint)
  const text = known ?? writeError(refusal, publication)
  if (known === undefined && byHint.size < hintsMax) byHint.set(refusal.hint, text)
  return text
}

/** A code with more hints than these has one that is made of what was sent. */
const hintsMax = 16

const makeByCode = () => new Map<ErrorCode, Map<string | undefined, string>>()
const makeByHint = () => new Map<string | undefined, string>()

const held = <Key extends WeakKey | string, Value>(
  map: { readonly get: (key: Key) => Value | undefined; readonly set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value
): Value => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

const writeError = (refusal: Refusal, publication: Publication): string =>
  JSON.stringify({ ...errorOf(refusal, publication), details: undefined }).slice(0, -1)

/** The error object (§7.1). */
export const errorOf = ({ code, details, hint, message }: Refusal, publication: Publication) => {
  const row = errorRow(code)
  return {
    code,
    message: message ?? row.message,
    hint: (hint ?? row.hint).replace("{support}", publication.supportUrl),
    docUrl: docUrl(publication.baseUrl, code),
    retryable: row.retryable,
    ...(details === undefined ? {} : { details: { ...details } as Readonly<Record<string, unknown>> })
  }
}
