import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Cluster } from "ioredis"
import type { Redis as Client } from "ioredis"
import type { LimitEntry, LimitsUnavailable } from "../../core/port/Limits.ts"
import { Limits } from "../../core/port/Limits.ts"
import { makeBatcher } from "../fast/batcher.ts"
import { script } from "./enter.lua.ts"
import { serverClock } from "./limitsFormat.ts"
import { failureOf } from "./failure.ts"
import { inTime, Redis, refusalOf } from "./Redis.ts"
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
 * The limits shared by every process (§8.1). Calls made while a script call is under way share the next one;
 * on a cluster there is a script call for each subject of a batch, whose key lies on one node.
 * A slot goes back at the front of the next script call, so that a later `enter` of this process sees it, and
 * within 20 ms where there is none; where that call fails, it is owed and goes with the one after.
 */
export const layer = (options: LimitsClock): Layer.Layer<Limits, never, Redis> =>
  Layer.effect(
    Limits,
    Effect.gen(function* () {
      const client = yield* Redis
      const owed: Array<LimitEntry> = []
      const owe = (leaves: ReadonlyArray<LimitEntry>) =>
        void owed.push(...leaves.slice(0, owedMax - owed.length))
      const send = client instanceof Cluster ? sendBySubject(client, owe) : sendTogether(client, owe)
      const batcher = yield* makeBatcher<LimitRequest, LimitReply, LimitsUnavailable>({
        store: "limits",
        batchMax: entriesPerBatchMax,
        full: unavailable({ fault: "unreachable", reason: "queue_full" }, false),
        flush: (asked, answer) => {
          const leaves = owed.splice(0)
          while (leaves.length > leavesPerBatchMax) void send([], leaves.splice(0, leavesPerBatchMax))
          void send(asked, leaves).then(({ exits, behind }) => answer(exits, behind))
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
            said._tag === "DayUnknown"
              ? Effect.fail(unavailable({ fault: "refused", reason: "ERR" }, true))
              : Effect.succeed(said)
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

/** What became of a batch. */
interface Sent {
  readonly exits: ReadonlyArray<Exit.Exit<LimitReply, LimitsUnavailable>>
  /** Told to all who wait behind it; undefined: they are sent next. */
  readonly behind?: Exit.Exit<never, LimitsUnavailable> | undefined
}

type Send = (asked: ReadonlyArray<LimitRequest>, leaves: ReadonlyArray<LimitEntry>) => Promise<Sent>
type Owe = (leaves: ReadonlyArray<LimitEntry>) => void

const sendTogether =
  (client: Client, owe: Owe): Send =>
  (asked, leaves) =>
    decide(client, asked, leaves).then(
      (answers) => ({ exits: exitsOf(asked, answers, false) }),
      (error: unknown) => {
        owe(leaves)
        const failure = failureOf(error, refusalOf(client))
        const failed = Exit.fail(unavailable(failure, false))
        // Who waits behind a batch that the server left unanswered would wait as long, for nothing.
        return { exits: asked.map(() => failed), behind: failure.fault === "refused" ? undefined : failed }
      }
    )

/** A script call of a cluster may only name keys of one slot; a key's own has no other to wait for. */
const sendBySubject =
  (client: Cluster, owe: Owe): Send =>
  async (asked, leaves) => {
    const subjects = Map.groupBy(asked, ({ entry }) => entry.subject)
    const leaving = Map.groupBy(leaves, ({ subject }) => subject)
    const exits = new Map<LimitRequest, Sent["exits"][number]>()
    await Promise.all(
      [...new Set([...leaving.keys(), ...subjects.keys()])].map(async (subject) => {
        const [own, back] = [subjects.get(subject) ?? [], leaving.get(subject) ?? []]
        const said = await decide(client, own, back).then(
          (answers) => exitsOf(own, answers, true),
          (error: unknown) => {
            owe(back)
            return own.map(() => Exit.fail(unavailable(failureOf(error), true)))
          }
        )
        own.forEach((each, nth) => {
          const exit = said[nth]
          if (exit !== undefined) exits.set(each, exit)
        })
      })
    )
    return { exits: asked.flatMap((each) => exits.get(each) ?? []) }
  }

const sha = createHash("sha1").update(script).digest("hex")

/** The answers of a batch as bytes. */
const decide = (
  client: Client | Cluster,
  asked: ReadonlyArray<LimitRequest>,
  leaves: ReadonlyArray<LimitEntry>
): Promise<Buffer> => {
  const keyCount = asked.length + leaves.length
  const parts = partsOf(asked, leaves)
  // A server that restarted has forgotten the script and says so before it runs anything.
  const afresh = (error: unknown) =>
    error instanceof Error && error.message.startsWith("NOSCRIPT")
      ? inTime(client, client.callBuffer("eval", script, keyCount, ...parts))
      : Promise.reject(error)
  return inTime(client, client.callBuffer("evalsha", sha, keyCount, ...parts))
    .catch(afresh)
    .then((answers) => (Buffer.isBuffer(answers) ? answers : Buffer.alloc(0)))
}
