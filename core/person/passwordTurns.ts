/*
 * Hashing a password takes a core for a fraction of a second, and any caller can cause it. Few hashes run at
 * a time; other attempts wait. Each place can have one attempt that waits, however often it tries, and the
 * place whose last turn is longest ago goes next, so a newcomer goes before all who had a turn already. Known
 * devices (knownDevice.ts) wait apart from strangers, and the two kinds take turns.
 */

/** Hashes under way at once in one process. One leaves the other threads and cores to the API's calls. */
export const turnsAtOnce = 1
/** Attempts that may wait, of each kind. */
export const waitingMax = 128
/** The longest time that an attempt waits: about 80 turns. Proxies give up after 30 s or 60 s. */
export const waitingSeconds = 20
/** Places whose last turn is remembered, of each kind. */
export const rememberedMax = 1_024

/** Where an attempt comes from, as limits and turns count it. */
export interface Origin {
  /** `known`: a device that signed in to this account before. */
  readonly kind: "known" | "stranger"
  /** The network, or the known devices of an account: what limits count. */
  readonly subject: string
  /** The site, or the known devices of an account: what has one place to wait in. */
  readonly place: string
}

interface Line {
  /** Oldest first. */
  readonly waiting: ReadonlyArray<string>
  /** The number of the last turn of each place; the oldest first. */
  readonly served: ReadonlyMap<string, number>
}

export interface PasswordTurns {
  readonly running: number
  /** Turns so far. */
  readonly count: number
  readonly lines: Readonly<Record<Origin["kind"], Line>>
  /** Whose turn the last one was. */
  readonly last: Origin["kind"]
}

const noLine: Line = { waiting: [], served: new Map() }
export const noTurns: PasswordTurns = {
  running: 0,
  count: 0,
  lines: { known: noLine, stranger: noLine },
  last: "stranger"
}

type Waiting = Pick<Origin, "kind" | "place">

/** Returns whether an attempt runs now, waits, or is refused because its place or all places are taken. */
export const enterTurn = (
  turns: PasswordTurns,
  { kind, place }: Waiting
): { readonly decision: "run" | "wait" | "busy"; readonly turns: PasswordTurns } => {
  if (turns.running < turnsAtOnce)
    return { decision: "run", turns: serve({ ...turns, running: turns.running + 1 }, { kind, place }) }
  const { waiting } = turns.lines[kind]
  if (waiting.length >= waitingMax || waiting.includes(place)) return { decision: "busy", turns }
  return { decision: "wait", turns: withWaiting(turns, kind, [...waiting, place]) }
}

/** Removes an attempt that no longer waits: its caller disconnected, or it waited too long. */
export const leaveTurn = (turns: PasswordTurns, { kind, place }: Waiting): PasswordTurns =>
  withWaiting(
    turns,
    kind,
    turns.lines[kind].waiting.filter((one) => one !== place)
  )

/** Ends a turn and returns who has the next one. The kind without the last turn goes first. */
export const finishTurn = (
  turns: PasswordTurns
): { readonly next: Waiting | undefined; readonly turns: PasswordTurns } => {
  const other: Origin["kind"] = turns.last === "known" ? "stranger" : "known"
  for (const kind of [other, turns.last] as const) {
    const place = nextPlace(turns.lines[kind])
    if (place !== undefined) {
      const next = { kind, place }
      return { next, turns: serve(leaveTurn(turns, next), next) }
    }
  }
  return { next: undefined, turns: { ...turns, running: turns.running - 1 } }
}

/** The place whose last turn is longest ago, or that had none; of several the one that has waited longest. */
const nextPlace = ({ served, waiting }: Line): string | undefined => {
  const lastTurn = (place: string): number => served.get(place) ?? 0
  return waiting.toSorted((one, other) => lastTurn(one) - lastTurn(other))[0]
}

const serve = (turns: PasswordTurns, { kind, place }: Waiting): PasswordTurns => {
  const count = turns.count + 1
  const served = new Map(turns.lines[kind].served)
  served.delete(place)
  served.set(place, count)
  const [oldest] = served.keys()
  if (served.size > rememberedMax && oldest !== undefined) served.delete(oldest)
  const line = { ...turns.lines[kind], served }
  return { ...turns, count, last: kind, lines: { ...turns.lines, [kind]: line } }
}

const withWaiting = (
  turns: PasswordTurns,
  kind: Origin["kind"],
  waiting: ReadonlyArray<string>
): PasswordTurns => ({ ...turns, lines: { ...turns.lines, [kind]: { ...turns.lines[kind], waiting } } })
