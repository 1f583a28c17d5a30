/** A group of so many says that many call at once, and that more are on their way. */
const crowd = 8

/** Turns of the event loop that a group waits at most for its calls to come together. */
const turnsMax = 10

/** A group that has not gone out yet: who waits in it, who went in the one before, and its turns so far. */
export interface Group {
  readonly waiting: number
  readonly before: number
  readonly turns: number
}

/**
 * Whether a group waits another turn of the event loop: what a commit or a script call costs is hardly more
 * for thirty calls than for ten, and where many call at once the next ones are being read. No clock is asked:
 * a turn without work takes microseconds, and where the last group was small, as for a lone call, none is
 * waited for.
 */
export const isGathering = ({ waiting, before, turns }: Group): boolean =>
  before >= crowd && waiting < 2 * before && turns < turnsMax
