import { createHash } from "node:crypto"
import type { Redis as Client } from "ioredis"
import type { LimitEntry } from "../../core/port/Limits.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import { isGathering } from "../../core/workflow/gathering.ts"
import { script } from "./enter.lua.ts"
import { classify } from "./Redis.ts"
import type { Waiting } from "./wire.ts"
import { fail, partsOf, tell } from "./wire.ts"

/** One script call holds the server for under a millisecond with this many entries. */
export const entriesPerBatchMax = 64

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
  let before = 0
  const flush = (): void => {
    const [enters, leaves] = [entering, leaving]
    before = enters.length
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
      for (const waiting of failing) fail(waiting, fault)
    }
    if (underWay === 0 && entering.length + leaving.length > 0) gather(0)
  }
  const gather = (turns: number): void => {
    if (isGathering({ waiting: entering.length, before, turns })) setImmediate(gather, turns + 1)
    else flush()
  }
  const soon = (): void => {
    if (underWay === 0 && entering.length + leaving.length === 0) setImmediate(gather, 0)
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

/** Sends a batch and spreads its answers; says the fault that it met, if any, and never rejects. */
const decide = (
  client: Client,
  enters: readonly Waiting[],
  leaves: readonly LimitEntry[],
  meter: BatchMeter
): Promise<StoreFault | undefined> => {
  const answered = meter(enters.length)
  const keyCount = enters.length + leaves.length
  const parts = partsOf(enters, leaves)
  // A server that restarted has forgotten the script and says so before it runs anything.
  const afresh = (error: unknown) =>
    error instanceof Error && error.message.startsWith("NOSCRIPT")
      ? client.callBuffer("eval", script, keyCount, ...parts)
      : failed(error)
  return client
    .callBuffer("evalsha", sha, keyCount, ...parts)
    .catch(afresh)
    .then(
      (answers) => {
        answered()
        spread(enters, Buffer.isBuffer(answers) ? answers : Buffer.alloc(0))
        return undefined
      },
      (error) => {
        const fault = classify(error)
        for (const waiting of enters) fail(waiting, fault)
        return fault
      }
    )
}

const failed = (error: unknown) => Promise.reject(error)

const spread = (enters: readonly Waiting[], answers: Buffer): void => {
  let start = 0
  for (const waiting of enters) start = tell(waiting, answers, start)
}
