import { docUrl, errorRow } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { ErrorCode } from "../error/table.ts"

/** What every answer says of itself (§2.1, contract §1). */
export interface Meta {
  readonly request_id: string
  readonly timestamp: string
  readonly [name: string]: unknown
}

export interface Publication {
  readonly baseUrl: string
  readonly supportUrl: string
}

/**
 * The JSON text of a success; `data` is JSON text already, so that its bytes are hashed and sent but once
 * written.
 */
export const successText = (data: string, meta: Meta): string =>
  `{"success":true,"data":${data},"meta":${JSON.stringify(meta)}}`

/** The JSON text of an error (§7.1). */
export const errorText = (refusal: Refusal, meta: Meta, publication: Publication): string =>
  `{"success":false,"error":${errorJson(refusal, publication)},"meta":${JSON.stringify(meta)}}`

/** Most refusals of a code read alike: each is written once. A process has one publication. */
const plainErrors = new WeakMap<Publication, Map<ErrorCode, string>>()

const errorJson = (refusal: Refusal, publication: Publication): string => {
  if (refusal.details !== undefined || refusal.hint !== undefined) return writeError(refusal, publication)
  const written = plainErrors.get(publication) ?? new Map<ErrorCode, string>()
  plainErrors.set(publication, written)
  const text = written.get(refusal.code) ?? writeError(refusal, publication)
  written.set(refusal.code, text)
  return text
}

const writeError = (refusal: Refusal, publication: Publication): string => {
  const row = errorRow(refusal.code)
  return JSON.stringify({
    code: refusal.code,
    message: row.message,
    hint: (refusal.hint ?? row.hint).replace("{support}", publication.supportUrl),
    docUrl: docUrl(publication.baseUrl, refusal.code),
    retryable: row.retryable,
    ...(refusal.details === undefined ? {} : { details: refusal.details })
  })
}
