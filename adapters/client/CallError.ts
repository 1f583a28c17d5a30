import * as Data from "effect/Data"
import type { ErrorCode } from "../../core/error/table.ts"

/** What every error of the client tells, whoever found the fault (§7.1). It never holds the key. */
interface ErrorReport {
  /** The HTTP status; null where nothing was answered. */
  readonly status: number | null
  /** Whether the identical request may succeed later; after the client's own retries it did not. */
  readonly retryable: boolean
  readonly message: string
  readonly hint: string | null
  readonly details: Readonly<Record<string, unknown>> | null
  /** For support; null where nothing was answered. */
  readonly requestId: string | null
  readonly docUrl: string | null
  /** What Retry-After asked for; null where it asked for nothing that can be read. */
  readonly retryAfterSeconds: number | null
  /** How often the request was sent. */
  readonly attempts: number
}

/**
 * The service answered with an error (§7.3). A newer service may send a code that this client does not know.
 */
export class CallRefused extends Data.TaggedError("CallRefused")<
  ErrorReport & { readonly code: ErrorCode | (string & {}) }
> {}

/** There is no answer of the service: it was not asked, not heard, or what came is not its own. */
export class CallFailed extends Data.TaggedError("CallFailed")<
  ErrorReport & { readonly code: FailureCode }
> {}

export type CallError = CallRefused | CallFailed

/**
 * What can go wrong outside §7.3. Retried, as SERVER_UNAVAILABLE is, is only what a repeat can mend: an
 * answer that was lost. What was answered wrongly would be answered so again.
 */
export const failures = {
  SETTINGS_INVALID: { retryable: false, message: "The client's settings are not valid." },
  INPUT_INVALID: { retryable: false, message: "The request cannot be written from this input." },
  CONNECTION_LOST: { retryable: true, message: "The connection failed before the whole answer was read." },
  TIMED_OUT: { retryable: true, message: "The whole answer was not read in the time for one attempt." },
  GATEWAY_FAILED: { retryable: true, message: "Something between here and the service failed." },
  REDIRECTED: { retryable: false, message: "The answer leads elsewhere; the key is not sent there." },
  ANSWER_TOO_LARGE: { retryable: false, message: "The answer is larger than answerBytesMax." },
  ANSWER_UNREADABLE: { retryable: false, message: "The answer is not the JSON that was asked for." },
  ANSWER_UNEXPECTED: {
    retryable: false,
    message: "The answer does not have the shape of the service's answers."
  },
  PAGES_ENDLESS: {
    retryable: false,
    message: "The list does not end: a cursor came again, or pagesMax is passed."
  }
} as const satisfies Readonly<Record<string, { readonly retryable: boolean; readonly message: string }>>
export type FailureCode = keyof typeof failures

/** A failure by its row; `hint` says what of it is to be mended, and never repeats a value. */
export const callFailure = (
  code: FailureCode,
  seen: { readonly status?: number; readonly requestId?: string | null; readonly hint?: string | null } = {}
): CallFailed =>
  new CallFailed({
    ...failures[code],
    code,
    status: seen.status ?? null,
    hint: seen.hint ?? null,
    details: null,
    requestId: seen.requestId ?? null,
    docUrl: null,
    retryAfterSeconds: null,
    attempts: 0
  })

/** The same error after so many attempts. */
export const afterAttempts = (error: CallError, attempts: number): CallError =>
  error._tag === "CallRefused"
    ? new CallRefused({ ...toldBy(error), code: error.code, attempts })
    : new CallFailed({ ...toldBy(error), code: error.code, attempts })

const toldBy = (error: CallError): ErrorReport => ({
  status: error.status,
  retryable: error.retryable,
  message: error.message,
  hint: error.hint,
  details: error.details,
  requestId: error.requestId,
  docUrl: error.docUrl,
  retryAfterSeconds: error.retryAfterSeconds,
  attempts: error.attempts
})
