import { retryDecision, retryWaitsSeconds } from "../../core/error/retry.ts"
import { errorCodes } from "../../core/error/table.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import type { CallError } from "./CallError.ts"
import type { ValidSettings } from "./ClientSettings.ts"

/**
 * The seconds to wait before sending the same again, or undefined to give up (§7.4). The kernel's table
 * decides; where the answer itself says that it is not retryable, it is believed over the table. A
 * Retry-After above maxWaitSeconds ends the call at once, since who waits that long wants to be told; one
 * below a second tells of no wait, so the retries are spaced as they are without one (§7.4.3).
 */
export const retryWaitSeconds = (
  error: CallError,
  retriesDone: number,
  { maxRetries, maxWaitSeconds }: Pick<ValidSettings, "maxRetries" | "maxWaitSeconds">
): number | undefined => {
  if (!error.retryable || retriesDone >= maxRetries) return undefined
  const retryAfterSeconds = waitOf(error)
  const decision = retryDecision({ code: knownCode(error), retriesDone, retryAfterSeconds })
  if (decision._tag === "GiveUp") return undefined
  return decision.waitSeconds > maxWaitSeconds ? undefined : decision.waitSeconds
}

/** The wait that an answer asks for, if it asks for one: four calls in one instant are no waiting. */
const waitOf = ({ retryAfterSeconds: asked }: CallError): number | null =>
  asked !== null && asked < retryWaitsSeconds[0] ? null : asked

/**
 * What the table does not know is judged as the code of its kind: a limit, or a service that is unavailable.
 */
const knownCode = ({ code, status }: CallError): ErrorCode =>
  errorCodes.find((known) => known === code) ??
  (status === 429 ? "RATE_LIMIT_EXCEEDED" : "SERVER_UNAVAILABLE")

/**
 * Retry-After in seconds from `nowMs` (RFC 9110 §10.2.3): a count, or a date in the one form that may still
 * be written. Null: neither.
 */
export const retryAfterSeconds = (header: string | null, nowMs: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Number(text)
  const atMs = imfDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000))
}

const imfDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
