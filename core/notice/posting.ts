const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * How long after each failed try an email is tried again: a mail server that is unavailable for four days
 * loses nothing, and after that the page still has the notice.
 */
export const emailDelaysMs: ReadonlyArray<number> = [
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
  24 * hourMs,
  24 * hourMs
]

/** When an email that failed `attempts` times is tried again, Unix ms; null: it is given up. */
export const emailRetryAtMs = (attempts: number, nowMs: number): number | null => {
  const delayMs = emailDelaysMs[attempts - 1]
  return delayMs === undefined ? null : nowMs + delayMs
}
