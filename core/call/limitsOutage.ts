import type { LimitEntry, LimitsUnavailable } from "../port/Limits.ts"

/** Where a call that was admitted here holds its slot: the shared store may have admitted it too, unheard. */
export type SlotPlace = "here alone" | "perhaps in both"

// Slots of calls that ended while the shared store was unavailable and that it may hold all the same: it
// admitted them before, or left the question unanswered and carries it out when it is back. It is told of
// them as soon as it answers; otherwise a subject of few slots would be refused until their leases end. Calls
// that began while it was known to be unavailable are none of its own.
export const slotsOfOutages = () => {
  const here = new Map<string, SlotPlace>()
  const owed: Array<LimitEntry> = []
  return {
    take: ({ requestId }: LimitEntry, held: SlotPlace): void => void here.set(requestId, held),
    /** Where the call held a slot; undefined: in the shared store, as nearly always. */
    give: ({ requestId }: LimitEntry): SlotPlace | undefined => {
      if (here.size === 0) return undefined
      const held = here.get(requestId)
      if (held !== undefined) here.delete(requestId)
      return held
    },
    owe: (entry: LimitEntry): void => void (owed.length < owedMax && owed.push(entry)),
    owed: (): ReadonlyArray<LimitEntry> => owed.splice(0)
  }
}

// Calls in flight when the store became unavailable, and those that it left unanswered: more than a process
// holds.
const owedMax = 10_000

// The subjects whose day was last counted in this process, and in which turn: a later turn's outage begins
// with what others and the shared store have counted since. A day that is over is nobody's any more.
export const daysCountedHere = () => {
  const turns = new Map<string, number>()
  let day = 0
  return {
    begin: (subject: string, today: number, turn: number): void => {
      if (today !== day) turns.clear()
      day = today
      turns.set(subject, turn)
    },
    end: (subject: string): void => void turns.delete(subject),
    has: (subject: string): boolean => turns.has(subject),
    isCurrent: (subject: string, turn: number): boolean => turns.get(subject) === turn
  }
}

// The turn counts the closings: a call that was sent before the last one says nothing about the store as it
// is now.
export const circuitBreaker = () => {
  let isOpen = false
  let turn = 0
  return {
    isOpen: () => isOpen,
    turn: () => turn,
    open: (since: number): void => {
      if (since === turn) isOpen = true
    },
    close: (): void => {
      if (isOpen) turn++
      isOpen = false
    }
  }
}

/** A failure of one subject is tried again after this, so that a server that hangs costs it little. */
const apartMs = 250

/** How long a failure that concerned some subjects is told of. */
const toldMs = 2_000

/** Subjects beyond these ask the store at once. */
const apartMax = 10_000

/** Whether the store as a whole is unavailable; a failure of one subject's key or node is that subject's. */
export const concernsAll = ({ fault, isAlone = fault === "refused" }: LimitsUnavailable): boolean => !isAlone

/** Subjects that the store could not decide for, while it may for others: one node of a cluster is down. */
export const subjectsApart = () => {
  const until = new Map<string, number>()
  let failedMs = Number.NEGATIVE_INFINITY
  return {
    /** A failure that concerns one subject. What was refused is asked again by the very next call. */
    note: ({ subject }: LimitEntry, { fault }: LimitsUnavailable, nowMs: number): void => {
      failedMs = nowMs
      if (until.size >= apartMax) until.clear()
      if (fault !== "refused") until.set(subject, nowMs + apartMs)
    },
    /** Whether the subject is decided here for now. */
    has: ({ subject }: LimitEntry, nowMs: number): boolean => {
      if (until.size === 0) return false
      const endMs = until.get(subject)
      if (endMs === undefined || nowMs < endMs) return endMs !== undefined
      until.delete(subject)
      return false
    },
    failed: (nowMs: number): void => {
      failedMs = nowMs
    },
    failedLately: (nowMs: number): boolean => nowMs - failedMs < toldMs
  }
}
