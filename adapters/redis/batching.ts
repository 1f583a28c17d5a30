import { createHash } from "node:crypto"
import * as Result from "effect/Result"
import type { Redis as Client } from "ioredis"
import type { DayUnknown } from "../../core/limit/enter.ts"
import type { LimitDecision, LimitFigures } from "../../core/limit/policy.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { LimitsUnavailable } from "../../core/port/Limits.ts"
import { nothingTold, numbersPerAnswer, script, verdicts } from "./enter.lua.ts"
import { classify } from "./Redis.ts"

/** One script call holds the server for under a millisecond with this many entries. */
export const entriesPerBatchMax = 64

/** Stands for the server's own TIME where a caller's clock would be. */
export const serverClock = -1

export type Answer = Result.Result<LimitDecision | DayUnknown, LimitsUnavailable>

/** An entry to decide, by which verb and clock, and who waits for the decision. */
export interface Waiting {
  readonly entry: LimitEntry
  readonly clockMs: number
  readonly verb: "enter" | "attempt"
  readonly answer: (answer: Answer) => void
}

/** Told when a batch of so many goes out; what it gives back is told when the answers are here. */
export type BatchMeter = (size: number) => () => void

/**
 * Collects what is asked while a batch is under way into the next script call: the more calls share one, the
 * less each costs Redis and Node, and a socket write wakes a process on either side. A batch that waits for
 * nothing goes out at the end of its turn of the event loop. It replaces the client's automatic pipelining,
 * which doubles the time that a hung server costs: here, who waits behind a batch that the server left
 * unanswered fails with it.
 */
export const batching = (client: Client, meter: BatchMeter) => {
  let entering: Array<Waiting> = []
  let leaving: Array<LimitEntry> = []
  let underWay = 0
  const flush = (): void => {
    const [enters, leaves] = [entering, leaving]
    entering = []
    leaving = []
    for (let start = 0; start < Math.max(enters.length, leaves.length); start += entriesPerBatchMax) {
      const end = start + entriesPerBatchMax
      underWay += 1
      decide(client, enters.slice(start, end), leaves.slice(start, end), meter).then(landed)
    }
  }
  const landed = (fault: StoreFault | undefined): void => {
    underWay -= 1
    if (fault !== undefined && fault !== "refused") {
      const failing = entering
      entering = []
      failing.forEach(({ answer }) => answer(unavailable(fault)))
    }
    if (underWay === 0 && entering.length + leaving.length > 0) flush()
  }
  const soon = (): void => {
    if (underWay === 0 && entering.length + leaving.length === 0) setImmediate(flush)
  }
  return {
    enter: (waiting: Waiting): void => {
      soon()
      entering.push(waiting)
    },
    leave: (entry: LimitEntry): void => {
      soon()
      leaving.push(entry)
    },
    flush
  }
}

const sha = createHash("sha1").update(script).digest("hex")

// The version names the format of what is stored: a release that changes it starts afresh beside the old
// keys. The braces keep the three keys of a subject on one node of a cluster.
const stem = ({ subject }: LimitEntry): string => `coverage:limits:1:{${subject}}:`
const leasesOf = (entry: LimitEntry): string => `${stem(entry)}leases`
const keysOf = ({ entry }: Waiting): readonly string[] => [
  `${stem(entry)}log`,
  `${stem(entry)}day`,
  leasesOf(entry)
]

const argumentsOf = ({
  entry: { policy, requestId, cost, dayUse },
  clockMs,
  verb
}: Waiting): readonly (string | number)[] => [
  clockMs,
  cost,
  policy.perMinute,
  policy.perDay ?? noQuota,
  policy.concurrent,
  requestId,
  dayUse?.day ?? nothingTold,
  dayUse?.used ?? 0,
  verb === "attempt" ? 1 : 0
]

const noQuota = -1

/** Sends a batch and spreads its answers; says the fault that it met, if any, and never rejects. */
const decide = (
  client: Client,
  enters: readonly Waiting[],
  leaves: readonly LimitEntry[],
  meter: BatchMeter
): Promise<StoreFault | undefined> => {
  const answered = meter(enters.length)
  const keys = [...enters.flatMap(keysOf), ...leaves.map(leasesOf)]
  const ids = leaves.map(({ requestId }) => requestId)
  const parts = [...keys, enters.length, ...enters.flatMap(argumentsOf), ...ids]
  // A server that restarted has forgotten the script and says so before it runs anything.
  const afresh = (error: unknown) =>
    error instanceof Error && error.message.startsWith("NOSCRIPT")
      ? client.eval(script, keys.length, ...parts)
      : failed(error)
  return client
    .evalsha(sha, keys.length, ...parts)
    .catch(afresh)
    .then(
      (numbers) => {
        answered()
        spread(enters, isNumbers(numbers) ? numbers : [])
        return undefined
      },
      (error) => {
        const fault = classify(error)
        enters.forEach(({ answer }) => answer(unavailable(fault)))
        return fault
      }
    )
}

const failed = (error: unknown) => Promise.reject(error)

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === "number")

const spread = (enters: readonly Waiting[], numbers: readonly number[]): void =>
  enters.forEach(({ entry, answer }, nth) =>
    answer(read(entry, numbers.slice(nth * numbersPerAnswer, (nth + 1) * numbersPerAnswer)))
  )

const read = (entry: LimitEntry, numbers: readonly number[]): Answer => {
  const [verdict, remaining = 0, resetMs = 0, retryAfterMs = 0, atMs = 0, standsMs = 0] = numbers
  const { perMinute, perDay } = entry.policy
  const figures: LimitFigures = { limit: perMinute, perDay, remaining, resetMs, atMs }
  switch (verdict) {
    case verdicts.admitted:
      return Result.succeed({ _tag: "Admitted", figures })
    case verdicts.minute:
      return Result.succeed({ _tag: "Refused", by: "minute", retryAfterMs, standsMs, figures })
    case verdicts.day:
      return Result.succeed({ _tag: "Refused", by: "day", retryAfterMs, standsMs, figures })
    case verdicts.concurrent:
      return Result.succeed({ _tag: "Refused", by: "concurrent", retryAfterMs, standsMs, figures })
    case verdicts.unknown:
      return Result.succeed({ _tag: "DayUnknown", day: remaining })
    default:
      return unavailable("refused")
  }
}

const unavailable = (fault: StoreFault): Answer => Result.fail(new LimitsUnavailable({ fault }))
