import type { Limited } from "../../../core/workflow/managing/attempting.ts"
import type { Fault } from "../fields.ts"

/** Says when to try again; no field is to blame. */
export const limitedFault = ({ retryAfterSeconds }: Limited, nowMs: number): Fault => ({
  field: "",
  says: `There were too many attempts. Try again in ${waiting(retryAfterSeconds)}, at ${clockTime(
    nowMs + retryAfterSeconds * 1_000
  )} UTC.`
})

/** The status and header of a form that is shown again for that reason. */
export const limitedStatus = ({ retryAfterSeconds }: Limited) => ({
  status: 429,
  headers: { "retry-after": String(retryAfterSeconds) }
})

const waiting = (seconds: number): string => {
  if (seconds < 120) return `${seconds} second${seconds === 1 ? "" : "s"}`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 19)
