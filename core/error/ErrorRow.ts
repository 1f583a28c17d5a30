import type * as Schema from "effect/Schema"

/** The HTTP statuses of an error (§7.2). */
export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 406 | 409 | 429 | 500 | 503

/** One row of the error table (§7.1, §7.3). */
export interface ErrorRow {
  readonly status: ErrorStatus
  /** True only when repeating the identical request later can succeed. */
  readonly retryable: boolean
  readonly message: string
  readonly hint: string
  /** The shape of `error.details`, where the code has any. */
  readonly details?: Schema.Top
}
