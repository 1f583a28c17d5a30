import type { TooManyAttempts } from "../../../core/admin/withAttemptLimits.ts"
import type { Fault } from "../fields.ts"

/** Says when to try again; no field is to blame. */
export const limitedFault = ({ retryAfterSeconds }: TooManyAttempts, nowMs: number): Fault => ({
  field: "",
  says: `There were too many attempts. Try again in ${waitWords(retryAfterSeconds)}, at ${clockTime(
    nowMs + retryAfterSeconds * 1_000
  )} UTC.`
})

/** The status and header of a form that is shown again for that reason. */
export const limitedStatus = ({ retryAfterSeconds }: TooManyAttempts) => ({
  status: 429,
  headers: { "retry-after": String(retryAfterSeconds) }
})

const waitWords = (seconds: number): string => {
  if (seconds < 120) return `${seconds} second${seconds === 1 ? "" : "s"}`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 19)
