/*
 * Hashing a password takes a core for a fraction of a second, and any caller can cause it. Few hashes run at
 * a time; other attempts wait. Each origin has one place to wait in, so turns go round robin over origins
 * however often one of them tries. Known devices (knownDevice.ts) wait apart from strangers, and the two
 * kinds take turns.
 */

/** Hashes under way at once in one process. One leaves the other threads and cores to the API's calls. */
export const turnsAtOnce = 1
/** Origins that may wait, of each kind. At a quarter of a second a turn, the last one waits for 30 s. */
export const waitingMax = 128

/** Where an attempt comes from, as limits and turns count it. */
export interface Origin {
  /** `known`: a device that signed in to this account before. */
  readonly kind: "known" | "stranger"
  /** The same for the same network, or for the known devices of the same account. */
  readonly subject: string
}

export interface PasswordTurns {
  readonly running: number
  /** Oldest first. */
  readonly waiting: Readonly<Record<Origin["kind"], ReadonlyArray<string>>>
  /** Whose turn the last one was. */
  readonly last: Origin["kind"]
}

export const noTurns: PasswordTurns = { running: 0, waiting: { known: [], stranger: [] }, last: "stranger" }

/** Returns whether an attempt runs now, waits, or is refused because its place or all places are taken. */
export const enterTurn = (
  turns: PasswordTurns,
  { kind, subject }: Origin
): { readonly decision: "run" | "wait" | "busy"; readonly turns: PasswordTurns } => {
  if (turns.running < turnsAtOnce)
    return { decision: "run", turns: { ...turns, running: turns.running + 1, last: kind } }
  const line = turns.waiting[kind]
  if (line.length >= waitingMax || line.includes(subject)) return { decision: "busy", turns }
  return { decision: "wait", turns: { ...turns, waiting: { ...turns.waiting, [kind]: [...line, subject] } } }
}

/** Removes an attempt that no longer waits, because its caller disconnected. */
export const leaveTurn = (turns: PasswordTurns, { kind, subject }: Origin): PasswordTurns => ({
  ...turns,
  waiting: { ...turns.waiting, [kind]: turns.waiting[kind].filter((one) => one !== subject) }
})

/** Ends a turn and returns the origin that has the next one. The kind without the last turn goes first. */
export const finishTurn = (
  turns: PasswordTurns
): { readonly next: Origin | undefined; readonly turns: PasswordTurns } => {
  const other: Origin["kind"] = turns.last === "known" ? "stranger" : "known"
  for (const kind of [other, turns.last] as const) {
    const [subject, ...rest] = turns.waiting[kind]
    if (subject !== undefined)
      return {
        next: { kind, subject },
        turns: { ...turns, waiting: { ...turns.waiting, [kind]: rest }, last: kind }
      }
  }
  return { next: undefined, turns: { ...turns, running: turns.running - 1 } }
}
