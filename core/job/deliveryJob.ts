import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Attempts } from "../port/Attempts.ts"
import type { AttemptsUnavailable, DeliveryTurn } from "../port/Attempts.ts"
import { Jobs } from "../port/Jobs.ts"
import type { Job } from "../port/Jobs.ts"
import { mayAttempt } from "../webhook/transitions.ts"
import { makeAttempt } from "./deliveryAttempt.ts"
import { makeSlots } from "./deliverySlots.ts"

/**
 * Jobs in hand at once in one process. They wait for receivers and not for the store, so there may be many
 * more than it has connections: it takes this many over `inFlightMax` hanging endpoints to hold up the
 * others.
 */
export const runnersCount = 64

/** A process that ends waits so long for attempts under way; what is left is another's to try again. */
export const drainMs = 10_000

/** A runner that failed goes on after this: the store may be unavailable. */
const pauseAfterFailure = "1 second"

/**
 * Delivers webhooks for as long as the scope is open (contract §2, Webhooks; webhooks.md). Any number of
 * processes do so over one store; on the way out nothing more is taken, and what is under way is waited for.
 */
export const deliveryJob = Effect.gen(function* () {
  const work = yield* makeWork
  const { run } = yield* Jobs
  const crew = { busy: new Set<number>(), stopping: false }
  const once = (runner: number) =>
    Effect.catchCause(
      run((job) => Effect.ensuring(Effect.andThen(begin(crew, runner), work(job)), end(crew, runner))),
      (cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause as Cause.Cause<never>) : complain(cause)
    )
  const start = (_: unknown, runner: number) =>
    Effect.forkDetach(Effect.whileLoop({ while: () => !crew.stopping, body: () => once(runner), step }))
  yield* Effect.acquireRelease(Effect.forEach(Array.from({ length: runnersCount }), start), (fibers) =>
    drain(crew, fibers)
  )
})

/** Which runners have a job in hand, and whether they are to take another. */
interface Crew {
  readonly busy: Set<number>
  stopping: boolean
}

const begin = ({ busy }: Crew, runner: number) => Effect.sync(() => void busy.add(runner))
const end = ({ busy }: Crew, runner: number) => Effect.sync(() => void busy.delete(runner))
const step = (): void => {}

const drain = Effect.fnUntraced(function* (crew: Crew, fibers: ReadonlyArray<Fiber.Fiber<void>>) {
  crew.stopping = true
  const busy = fibers.filter((_, runner) => crew.busy.has(runner))
  yield* Fiber.interruptAll(fibers.filter((fiber) => !busy.includes(fiber)))
  yield* Effect.timeoutOrElse(Effect.asVoid(Fiber.awaitAll(busy)), {
    duration: drainMs,
    orElse: () => Fiber.interruptAll(busy)
  })
})

const complain = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.andThen(
    Effect.logWarning("a webhook job failed and runs again", cause),
    Effect.sleep(pauseAfterFailure)
  )

/** What is done for each job. */
export const makeWork = Effect.gen(function* () {
  const attempts = yield* Attempts
  const attempt = yield* makeAttempt
  const slots = makeSlots()

  const deliver = Effect.fnUntraced(function* (turn: DeliveryTurn) {
    const due = yield* attempts.due(turn)
    // Of an endpoint that takes none it waits, without a job, until it is resumed.
    if (due === undefined || !mayAttempt(due.endpoint, due)) return
    const { endpointId, failureCount, status } = due.endpoint
    const entry = yield* slots.enter({ endpointId, failing: failureCount > 0 })
    if (entry._tag === "Busy") {
      const nowMs = yield* Clock.currentTimeMillis
      return yield* attempts.defer({ ...turn, atMs: entry.returnAtMs, nowMs })
    }
    const after = yield* Effect.ensuring(attempt(turn, due), slots.leave(endpointId))
    if (after?.status === "disabled" && status !== "disabled")
      yield* Effect.annotateLogs(Effect.logInfo("a webhook endpoint was disabled"), { endpointId })
  })

  const resume = Effect.fnUntraced(function* (endpointId: number) {
    let after: number | null = 0
    while (after !== null) {
      after = yield* attempts.resume({ endpointId, after, nowMs: yield* Clock.currentTimeMillis })
    }
  })

  return (job: Job): Effect.Effect<void, AttemptsUnavailable> => {
    switch (job._tag) {
      case "Deliver":
        return deliver(job)
      case "Resume":
        return resume(job.endpointId)
    }
  }
})
