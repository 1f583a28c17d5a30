import { docUrl, errorRow } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"

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
export const errorText = (refusal: Refusal, meta: Meta, publication: Publication): string => {
  const row = errorRow(refusal.code)
  return JSON.stringify({
    success: false,
    error: {
      code: refusal.code,
      message: row.message,
      hint: (refusal.hint ?? row.hint).replace("{support}", publication.supportUrl),
      docUrl: docUrl(publication.baseUrl, refusal.code),
      retryable: row.retryable,
      ...(refusal.details === undefined ? {} : { details: refusal.details })
    },
    meta
  })
}
