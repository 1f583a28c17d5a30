import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import { isSqlError } from "effect/sql/SqlError"
import { abandonedMs, Job, jobName, Jobs, JobsUnavailable } from "../../core/port/Jobs.ts"
import { classify } from "./Database.ts"
import { lookEveryMs, makeUntilJobDue, queueName } from "./untilJobDue.ts"

/** How often a live process says that its jobs are in hand: three times before they pass to another. */
const refreshMs = abandonedMs / 3

/** Work that failed is run again after this, since what failed it was the store. */
const againAfter = "2 seconds"

/** No job is ever given up: the largest count that its column holds. */
const attemptsMax = 2_147_483_647

/** Names of jobs done are kept so long, so that an offer repeated within it is the same job. */
const keptFor = Duration.days(2)

// The queue's own fibers tell every statement that fails while PostgreSQL is unavailable, twice a second;
// what the service makes of it is told where it is made.
const makeStore = (clock: Clock.Clock) =>
  PersistedQueue.makeStoreSql({
    tableName: "job",
    pollInterval: lookEveryMs,
    lockRefreshInterval: refreshMs,
    lockExpiration: abandonedMs
  }).pipe(
    Effect.provideService(Clock.Clock, clock),
    Effect.provideService(References.MinimumLogLevel, "Error")
  )

/**
 * Jobs in PostgreSQL: Effect's PersistedQueue over the pool, whose open transaction an offer joins. Any
 * number of processes take from it, each row by one of them (`for update skip locked`).
 */
export const layer = Layer.effect(
  Jobs,
  Effect.gen(function* () {
    const { clock, offered, wake } = yield* makeUntilJobDue
    const store = yield* makeStore(clock)
    const queue = yield* PersistedQueue.make({
      name: queueName,
      schema: Job,
      maxAttempts: attemptsMax,
      retrySchedule: Schedule.spaced(againAfter)
    }).pipe(
      Effect.provide(PersistedQueue.layer),
      Effect.provideService(PersistedQueue.PersistedQueueStore, store)
    )
    return Jobs.of({
      offer: (offers) =>
        Effect.forEach(
          offers,
          ({ job, delayMs }) =>
            Effect.catchTags(queue.offer(job, { id: jobName(job), delay: delayMs }), {
              SchemaError: Effect.die,
              PersistedQueueError: (error) => failed(error)
            }),
          { discard: true }
        ).pipe(Effect.andThen(offered)),
      run: (work) =>
        queue.take(work).pipe(
          Effect.onError(() => wake),
          Effect.mapError((error) => (isQueueError(error) ? failed(error) : error))
        ),
      forget: Effect.catch(store.cleanup({ timeToLive: keptFor, failedTimeToLive: undefined }), failed)
    })
  })
)

const isQueueError = (error: unknown): error is PersistedQueue.PersistedQueueError =>
  error instanceof PersistedQueue.PersistedQueueError

const failed = (error: PersistedQueue.PersistedQueueError) => {
  const cause = findSqlError(error.cause)
  return new JobsUnavailable({ fault: cause === undefined ? "refused" : classify(cause) })
}

/** The queue wraps the whole cause of a statement that failed. */
const findSqlError = (cause: unknown) => {
  if (isSqlError(cause)) return cause
  if (!Cause.isCause(cause)) return undefined
  const reasons = cause.reasons.map((reason) =>
    Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
  )
  return reasons.find(isSqlError)
}
