import * as Exit from "effect/Exit"
import type { DayUnknown } from "../../core/limit/acquire.ts"
import type { LimitDecision, LimitKind } from "../../core/limit/policy.ts"
import { windowMs } from "../../core/limit/window.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { LimitsUnavailable } from "../../core/port/Limits.ts"
import { repliedFailure } from "./failure.ts"
import type { Failure } from "./failure.ts"
import {
  admissionBytes,
  bytesPerNumber,
  failureWords,
  firstTermsByte,
  nothingTold,
  refusalBytes,
  slotMark,
  verdicts
} from "./limitsFormat.ts"

/** An entry to decide, and by which verb and clock. */
export interface LimitRequest {
  readonly entry: LimitEntry
  readonly clockMs: number
  readonly verb: "enter" | "attempt"
}

/** What the script says to an entry. */
export type LimitReply = LimitDecision | DayUnknown

/**
 * The script's KEYS and ARGV for a batch: few and only text, since the client and the server pay for every
 * one of them, and the client twice where one is bytes. What entries have in common, nearly always all but
 * the subject and the request id, is sent once.
 */
export const partsOf = (asked: ReadonlyArray<LimitRequest>, leaves: ReadonlyArray<LimitEntry>): string[] => {
  const parts: string[] = []
  const terms: LimitRequest[] = []
  let lines = ""
  for (const each of asked) {
    parts.push(keyOf(each.entry))
    lines += String.fromCharCode(firstTermsByte + indexOf(terms, each)) + slotOf(each.entry)
  }
  for (const entry of leaves) {
    parts.push(keyOf(entry))
    lines += slotOf(entry)
  }
  parts.push(`${asked.length}`, lines)
  for (const each of terms) parts.push(textOf(each))
  return parts
}

// The version names the format of what is stored: a release that changes it starts afresh beside the old
// keys.
const keyOf = ({ subject }: LimitEntry): string => `coverage:limits:2:${subject}`

const slotOf = ({ requestId }: LimitEntry): string => `${slotMark}${requestId}\n`

const indexOf = (terms: LimitRequest[], asked: LimitRequest): number => {
  for (let nth = 0; nth < terms.length; nth++) {
    const other = terms[nth]
    if (other !== undefined && sameTerms(other, asked)) return nth
  }
  return terms.push(asked) - 1
}

const sameTerms = (one: LimitRequest, other: LimitRequest): boolean => {
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

const textOf = ({ entry: { cost, policy, dayUse }, clockMs, verb }: LimitRequest): string => {
  const limits = `${policy.perMinute} ${policy.perDay ?? noQuota} ${policy.concurrent}`
  const told = `${dayUse?.day ?? nothingTold} ${dayUse?.used ?? 0}`
  return `${clockMs} ${cost} ${limits} ${told} ${verb === "attempt" ? 1 : 0}`
}

const noQuota = -1

/**
 * What the script says to each entry of a batch; what it could not decide, or left out, is refused.
 * `isAlone`: what fails here concerns this subject alone, and not the store.
 */
export const exitsOf = (
  asked: ReadonlyArray<LimitRequest>,
  answers: Buffer,
  isAlone: boolean
): ReadonlyArray<Exit.Exit<LimitReply, LimitsUnavailable>> => {
  let start = 0
  return asked.map(({ entry: { policy } }) => {
    const number = (nth: number): number => answers.readDoubleLE(start + nth * bytesPerNumber)
    const bytes = answers.length - start
    const verdict = bytes < admissionBytes ? verdicts.failed : number(0)
    const { perMinute: limit, perDay } = policy
    if (verdict === verdicts.admitted) {
      const atMs = number(2)
      const figures = { limit, perDay, remaining: number(1), resetMs: atMs + windowMs, atMs }
      start += admissionBytes
      return Exit.succeed({ _tag: "Admitted", figures })
    }
    const by = bytes < refusalBytes ? undefined : refusedBy.get(verdict)
    const said =
      verdict === verdicts.unknown
        ? Exit.succeed({ _tag: "DayUnknown" as const, day: number(1) })
        : by === undefined
          ? Exit.fail(unavailable(failureAt(bytes < refusalBytes ? 0 : number(1)), isAlone))
          : Exit.succeed({
              _tag: "Refused" as const,
              by,
              retryAfterMs: number(3),
              standsMs: number(5),
              figures: { limit, perDay, remaining: number(1), resetMs: number(2), atMs: number(4) }
            })
    start += refusalBytes
    return said
  })
}

const refusedBy = new Map<number, LimitKind>([
  [verdicts.minute, "minute"],
  [verdicts.day, "day"],
  [verdicts.concurrent, "concurrent"]
])

/** An entry's failure by its place in the list of words, the first being 1; 0: none of them. */
const failureAt = (place: number): Failure => repliedFailure(`${failureWords[place - 1] ?? "ERR"} `)

/** The store could not decide. A statement that was refused concerns its subject alone in any case. */
export const unavailable = (failure: Failure, isAlone: boolean): LimitsUnavailable =>
  new LimitsUnavailable({ ...failure, isAlone: isAlone || failure.fault === "refused" })
