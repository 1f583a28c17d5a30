import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Redis as Client } from "ioredis"
import type { LimitEntry } from "../../core/port/Limits.ts"
import { Limits } from "../../core/port/Limits.ts"
import { makeBatcher } from "../fast/batcher.ts"
import { script, serverClock } from "./enter.lua.ts"
import { classify, Redis } from "./Redis.ts"
import type { LimitRequest, LimitReply } from "./wire.ts"
import { exitsOf, partsOf, unavailable } from "./wire.ts"

/** One script call holds the server for under a millisecond with this many entries. */
export const entriesPerBatchMax = 64

/** A slot that is given back, and with which no call goes, is sent this late at most. */
export const leaveWithinMs = 20

/** Slots to give back in one script call. More are owed only after an outage. */
const leavesPerBatchMax = 1_000

/**
 * More than a process has calls in flight when the store becomes unavailable; other slots end with their
 * leases.
 */
const owedMax = 10_000

/**
 * Whose clock decides: the server's TIME, one for all processes, or the caller's own, which the laws move.
 */
export interface LimitsClock {
  readonly clock: "server" | "caller"
}

/**
 * The limits shared by every process (§8.1). Calls made while a script call is under way share the next one.
 * A slot goes back at the front of the next script call, so that a later `enter` of this process sees it, and
 * within 20 ms where there is none; where that call fails, it is owed and goes with the one after.
 */
export const layer = (options: LimitsClock): Layer.Layer<Limits, never, Redis> =>
  Layer.effect(
    Limits,
    Effect.gen(function* () {
      const client = yield* Redis
      const owed: Array<LimitEntry> = []
      const ask = (asked: ReadonlyArray<LimitRequest>, leaves: ReadonlyArray<LimitEntry>) =>
        decide(client, asked, leaves).catch((error: unknown) => {
          owed.push(...leaves.slice(0, owedMax - owed.length))
          return classify(error)
        })
      const batcher = yield* makeBatcher<LimitRequest, LimitReply, ReturnType<typeof unavailable>>({
        store: "limits",
        batchMax: entriesPerBatchMax,
        full: unavailable("unreachable"),
        flush: (asked, answer) => {
          const leaves = owed.splice(0)
          while (leaves.length > leavesPerBatchMax) void ask([], leaves.splice(0, leavesPerBatchMax))
          void ask(asked, leaves).then((said) => {
            if (typeof said !== "string") return answer(exitsOf(asked, said))
            // Who waits behind a batch that the server left unanswered would wait as long, for nothing.
            const failed = Exit.fail(unavailable(said))
            answer(
              asked.map(() => failed),
              said === "refused" ? undefined : failed
            )
          })
        }
      })
      const by = (verb: LimitRequest["verb"], entry: LimitEntry) =>
        options.clock === "server"
          ? batcher.submit({ entry, clockMs: serverClock, verb })
          : Effect.clockWith((clock) =>
              batcher.submit({ entry, clockMs: clock.currentTimeMillisUnsafe(), verb })
            )
      return {
        // The script says that a day is unknown only where it must be known.
        acquire: (entry) =>
          Effect.flatMap(by("enter", entry), (said) =>
            said._tag === "DayUnknown" ? Effect.fail(unavailable("refused")) : Effect.succeed(said)
          ),
        tryAcquire: (entry) => by("attempt", entry),
        release: (entry) =>
          Effect.sync(() => {
            if (owed.length < owedMax) owed.push(entry)
            batcher.flushWithin(leaveWithinMs)
          })
      }
    })
  )

const sha = createHash("sha1").update(script).digest("hex")

/** The answers of a batch as bytes. */
const decide = (
  client: Client,
  asked: ReadonlyArray<LimitRequest>,
  leaves: ReadonlyArray<LimitEntry>
): Promise<Buffer> => {
  const keyCount = asked.length + leaves.length
  const parts = partsOf(asked, leaves)
  // A server that restarted has forgotten the script and says so before it runs anything.
  const afresh = (error: unknown) =>
    error instanceof Error && error.message.startsWith("NOSCRIPT")
      ? client.callBuffer("eval", script, keyCount, ...parts)
      : Promise.reject(error)
  return client
    .callBuffer("evalsha", sha, keyCount, ...parts)
    .catch(afresh)
    .then((answers) => (Buffer.isBuffer(answers) ? answers : Buffer.alloc(0)))
}
