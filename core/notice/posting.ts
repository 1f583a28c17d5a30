const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * How long after each failed try a letter is tried again: a mail server that is away for four days loses
 * nothing, and after that the page still has the notice.
 */
export const letterDelaysMs: ReadonlyArray<number> = [
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

/** When a letter that failed `attempts` times is tried again, Unix ms; null: it is given up. */
export const letterAgainAtMs = (attempts: number, nowMs: number): number | null => {
  const delayMs = letterDelaysMs[attempts - 1]
  return delayMs === undefined ? null : nowMs + delayMs
}
