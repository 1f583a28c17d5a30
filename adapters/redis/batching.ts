import { createHash } from "node:crypto"
import * as Result from "effect/Result"
import type { Redis as Client } from "ioredis"
import type { LimitDecision, LimitFigures } from "../../core/limit/policy.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { LimitsUnavailable } from "../../core/port/Limits.ts"
import { numbersPerAnswer, script, verdicts } from "./enter.lua.ts"
import { classify } from "./Redis.ts"

/** One script call holds the server for under a millisecond with this many entries. */
export const entriesPerBatchMax = 64

/** Stands for the server's own TIME where a caller's clock would be. */
export const serverClock = -1

/** An entry to decide; cost 0 gives its slot back. */
export interface Sent {
  readonly entry: LimitEntry
  readonly clockMs: number
  readonly cost: number
}

export type Answer = Result.Result<LimitDecision, LimitsUnavailable>

interface Waiting extends Sent {
  readonly answer: (answer: Answer) => void
}

/**
 * Collects what is asked in one turn of the event loop into one script call, which costs Redis and Node half of what
 * single calls would. It replaces the client's automatic pipelining, which holds back a pipeline until the one before
 * was answered and so doubles the time a hung server costs.
 */
export const batching = (client: Client) => {
  let waiting: Array<Waiting> = []
  const flush = (): void => {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += entriesPerBatchMax) {
      decide(client, all.slice(start, start + entriesPerBatchMax))
    }
  }
  const send = (sent: Sent, answer: (answer: Answer) => void): void => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push({ ...sent, answer })
  }
  return { send, flush }
}

const sha = createHash("sha1").update(script).digest("hex")

// The version names the format of what is stored: a release that changes it starts afresh beside the old keys. The
// braces keep the three keys of a subject on one node of a cluster.
const keysOf = ({ entry }: Waiting): readonly string[] => {
  const stem = `coverage:limits:1:{${entry.subject}}:`
  return [`${stem}log`, `${stem}day`, `${stem}leases`]
}

const argumentsOf = ({ entry: { policy, requestId }, clockMs, cost }: Waiting): readonly (string | number)[] =>
  [clockMs, cost, policy.perMinute, policy.perDay ?? noQuota, policy.concurrent, requestId]

const noQuota = -1

const decide = (client: Client, batch: readonly Waiting[]): void => {
  const parts = [...batch.flatMap(keysOf), ...batch.flatMap(argumentsOf)]
  const keys = batch.length * 3
  // A server that restarted has forgotten the script and says so before it runs anything.
  const afresh = (error: unknown) =>
    error instanceof Error && error.message.startsWith("NOSCRIPT") ? client.eval(script, keys, ...parts) : failed(error)
  client.evalsha(sha, keys, ...parts).catch(afresh).then(
    (numbers) => spread(batch, isNumbers(numbers) ? numbers : []),
    (error) => batch.forEach(({ answer }) => answer(unavailable(classify(error))))
  )
}

const failed = (error: unknown) => Promise.reject(error)

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === "number")

const spread = (batch: readonly Waiting[], numbers: readonly number[]): void => {
  let start = 0
  for (const waiting of batch) {
    if (waiting.cost === 0) continue
    waiting.answer(read(waiting.entry, numbers.slice(start, start + numbersPerAnswer)))
    start += numbersPerAnswer
  }
}

const read = (entry: LimitEntry, numbers: readonly number[]): Answer => {
  const [verdict, remaining = 0, resetMs = 0, retryAfterMs = 0, atMs = 0] = numbers
  const { perMinute, perDay } = entry.policy
  const figures: LimitFigures = { limit: perMinute, perDay, remaining, resetMs, atMs }
  switch (verdict) {
    case verdicts.admitted:
      return Result.succeed({ _tag: "Admitted", figures })
    case verdicts.minute:
      return Result.succeed({ _tag: "Refused", by: "minute", retryAfterMs, figures })
    case verdicts.day:
      return Result.succeed({ _tag: "Refused", by: "day", retryAfterMs, figures })
    case verdicts.concurrent:
      return Result.succeed({ _tag: "Refused", by: "concurrent", retryAfterMs, figures })
    default:
      return unavailable("refused")
  }
}

const unavailable = (fault: StoreFault): Answer => Result.fail(new LimitsUnavailable({ fault }))
