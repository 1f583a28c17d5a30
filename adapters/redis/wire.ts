import * as Effect from "effect/Effect"
import type { DayUnknown } from "../../core/limit/enter.ts"
import type { LimitDecision, LimitKind } from "../../core/limit/policy.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { windowMs } from "../../core/limit/window.ts"
import { LimitsUnavailable } from "../../core/port/Limits.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import {
  admissionBytes,
  bytesPerNumber,
  firstTermsByte,
  nothingTold,
  refusalBytes,
  verdicts
} from "./enter.lua.ts"
import { slotMark } from "./slots.lua.ts"

/** An entry to decide, by which verb and clock, and the fiber that waits for the decision. */
export type Waiting = Asked &
  (
    | { readonly verb: "enter"; readonly answer: (answer: Answer<LimitDecision>) => void }
    | { readonly verb: "attempt"; readonly answer: (answer: Answer<LimitDecision | DayUnknown>) => void }
  )

interface Asked {
  readonly entry: LimitEntry
  readonly clockMs: number
}

type Answer<Said> = Effect.Effect<Said, LimitsUnavailable>

/**
 * The script's KEYS and ARGV for a batch: few and only text, since the client and the server pay for every
 * one of them, and the client twice where one is bytes. What entries have in common, nearly always all but
 * the subject and the request id, is sent once.
 */
export const partsOf = (enters: readonly Waiting[], leaves: readonly LimitEntry[]): string[] => {
  const parts: string[] = []
  const terms: Waiting[] = []
  let lines = ""
  for (const waiting of enters) {
    parts.push(keyOf(waiting.entry))
    lines += String.fromCharCode(firstTermsByte + indexOf(terms, waiting)) + slotOf(waiting.entry)
  }
  for (const entry of leaves) {
    parts.push(keyOf(entry))
    lines += slotOf(entry)
  }
  parts.push(`${enters.length}`, lines)
  for (const each of terms) parts.push(textOf(each))
  return parts
}

// The version names the format of what is stored: a release that changes it starts afresh beside the old
// keys.
const keyOf = ({ subject }: LimitEntry): string => `coverage:limits:2:${subject}`

const slotOf = ({ requestId }: LimitEntry): string => `${slotMark}${requestId}\n`

const indexOf = (terms: Waiting[], waiting: Waiting): number => {
  for (let nth = 0; nth < terms.length; nth++) {
    const other = terms[nth]
    if (other !== undefined && sameTerms(other, waiting)) return nth
  }
  return terms.push(waiting) - 1
}

const sameTerms = (one: Waiting, other: Waiting): boolean => {
  const [first, second] = [one.entry, other.entry]
  return (
    one.clockMs === other.clockMs &&
    one.verb === other.verb &&
    first.cost === second.cost &&
    first.policy.perMinute === second.policy.perMinute &&
    first.policy.perDay === second.policy.perDay &&
    first.policy.concurrent === second.policy.concurrent &&
    first.dayUse?.day === second.dayUse?.day &&
    first.dayUse?.used === second.dayUse?.used
  )
}

const textOf = ({ entry: { cost, policy, dayUse }, clockMs, verb }: Waiting): string => {
  const limits = `${policy.perMinute} ${policy.perDay ?? noQuota} ${policy.concurrent}`
  const told = `${dayUse?.day ?? nothingTold} ${dayUse?.used ?? 0}`
  return `${clockMs} ${cost} ${limits} ${told} ${verb === "attempt" ? 1 : 0}`
}

const noQuota = -1

/** Tells an entry what the script says to it, in the bytes that begin there, and says where they end. */
export const tell = (waiting: Waiting, answers: Buffer, start: number): number => {
  const number = (nth: number): number => answers.readDoubleLE(start + nth * bytesPerNumber)
  const { perMinute: limit, perDay } = waiting.entry.policy
  if (answers.length >= start + admissionBytes && number(0) === verdicts.admitted) {
    const atMs = number(2)
    const figures = { limit, perDay, remaining: number(1), resetMs: atMs + windowMs, atMs }
    waiting.answer(Effect.succeed({ _tag: "Admitted", figures }))
    return start + admissionBytes
  }
  const end = start + refusalBytes
  const verdict = answers.length >= end ? number(0) : verdicts.failed
  const by = refusedBy.get(verdict)
  // The script says that a day is unknown only where it must be known.
  if (verdict === verdicts.unknown && waiting.verb === "attempt")
    waiting.answer(Effect.succeed({ _tag: "DayUnknown", day: number(1) }))
  else if (by === undefined) fail(waiting, "refused")
  else {
    const figures = { limit, perDay, remaining: number(1), resetMs: number(2), atMs: number(4) }
    waiting.answer(
      Effect.succeed({ _tag: "Refused", by, retryAfterMs: number(3), standsMs: number(5), figures })
    )
  }
  return end
}

const refusedBy = new Map<number, LimitKind>([
  [verdicts.minute, "minute"],
  [verdicts.day, "day"],
  [verdicts.concurrent, "concurrent"]
])

/** Tells an entry that the store could not decide it. */
export const fail = ({ answer }: Waiting, fault: StoreFault): void =>
  answer(Effect.fail(new LimitsUnavailable({ fault })))
