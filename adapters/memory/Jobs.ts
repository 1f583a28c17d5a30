import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import { Job, jobName, Jobs, JobsUnavailable } from "../../core/port/Jobs.ts"
import { onceCommitted } from "./change.ts"

/** Jobs in the process, gone with it. They are queued when the write around them has committed. */
export const layer = Layer.effect(
  Jobs,
  Effect.gen(function* () {
    const store = yield* PersistedQueue.PersistedQueueStore
    const queue = yield* PersistedQueue.make({ name: "job", schema: Job, maxAttempts: attemptsMax })
    return Jobs.of({
      offer: (offers) =>
        Effect.forEach(
          offers,
          ({ job, delayMs }) =>
            onceCommitted(
              Effect.orDie(Effect.asVoid(queue.offer(job, { id: jobName(job), delay: delayMs })))
            ),
          { discard: true }
        ),
      run: (work) =>
        Effect.catchTag(
          queue.take(work),
          "PersistedQueueError",
          () => new JobsUnavailable({ fault: "refused" })
        ),
      forget: Effect.orDie(store.cleanup({ timeToLive: Duration.days(2), failedTimeToLive: undefined }))
    })
  })
).pipe(Layer.provide(PersistedQueue.layer), Layer.provide(PersistedQueue.layerStoreMemory))

/** No job is ever given up. */
const attemptsMax = Number.MAX_SAFE_INTEGER
