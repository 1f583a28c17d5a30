import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { SqlClient } from "effect/sql/SqlClient"
import { abandonedMs } from "../../core/port/Jobs.ts"

/** The one queue of the table. */
export const queueName = "webhooks"

/**
 * How often a process that waits looks when the next job is due. Its own jobs wake it at once, so this is how
 * late it may learn of one that another process offered and has no free hand for, or left behind.
 */
export const lookEveryMs = 1_000

/** The least pause between two claims: a job that is due and that nobody gets is another's just now. */
export const claimApartMs = 200

/**
 * An offer wakes the queue before its transaction commits, so a claim is tried so often for a second after.
 */
export const offeredApartMs = 100

/**
 * Effect's queue claims, finds nothing, and sleeps before it claims again. A claim is an update that costs
 * more than a look at the head of the queue, so its sleep is made one that ends when a job is due. The sleep
 * is told by its length from the others of the queue's fibers.
 */
export const makeUntilJobDue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* Clock.Clock
  const woken = Latch.makeUnsafe(false)
  const sleep = (ms: number) => clock.sleep(Duration.millis(ms))

  /** Null: no job waits; an unavailable store is left to the claim to find out. */
  const head = sql<{ readonly dueMs: number | null }>`select
    (extract(epoch from min(visible_at) - (now() at time zone 'UTC')) * 1000)::float8 as "dueMs"
    from job where queue_name = ${queueName} and state = 'pending' and (acquired_at is null
      or acquired_at < (now() at time zone 'UTC') - ${abandonedMs} * interval '1 millisecond')`
  const dueInMs = head.pipe(
    Effect.map(([found]) => found?.dueMs ?? Number.POSITIVE_INFINITY),
    Effect.catchCause(() => Effect.succeed(0))
  )
  const due: Effect.Effect<void> = Effect.flatMap(dueInMs, (ms) =>
    ms <= lookEveryMs
      ? sleep(Math.max(claimApartMs, Math.ceil(ms)))
      : Effect.andThen(
          sleep(lookEveryMs),
          Effect.suspend(() => due)
        )
  )
  const wakened = Effect.andThen(
    woken.await,
    Effect.sync(() => woken.closeUnsafe())
  )
  let offeredMs = Number.NEGATIVE_INFINITY
  const pause = Effect.suspend(() =>
    performance.now() - offeredMs < lookEveryMs ? sleep(offeredApartMs) : Effect.race(due, wakened)
  )
  return {
    /** A job was offered, and is there when the transaction of its offer is over. */
    offered: Effect.sync(() => {
      offeredMs = performance.now()
      woken.openUnsafe()
    }),
    /** A job is free again, which only the process that had it knows at once. */
    wake: Effect.sync(() => void woken.openUnsafe()),
    clock: {
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
      currentTimeMillis: clock.currentTimeMillis,
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => (Duration.toMillis(duration) === lookEveryMs ? pause : clock.sleep(duration))
    } satisfies Clock.Clock
  } as const
})
