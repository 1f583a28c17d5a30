import assert from "node:assert/strict"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Jobs } from "../../core/port/Jobs.ts"
import type { Job } from "../../core/port/Jobs.ts"
import type { Law } from "./Law.ts"
import { inWrite, takeJobs } from "./webhookFixtures.ts"
import { WebhooksElsewhere } from "./webhooks.ts"
import type { Webhooks } from "./webhooks.ts"

/** What every queue keeps (core/port/Jobs.ts). */
export const jobsLaws: ReadonlyArray<Law<Webhooks>> = [
  {
    says: "law 1: an offer in a write that is undone was never made, and in one that commits it is there",
    check: Effect.gen(function* () {
      yield* takeJobs
      const [lost, kept] = freshJobs(2)
      assert.ok(lost && kept)
      yield* inWrite(offered([lost]), "Undo")
      assert.deepEqual(yield* takeJobs, [])
      const seen = yield* inWrite(Effect.andThen(offered([kept]), takeJobs))
      assert.deepEqual(seen._tag === "Committed" ? seen.value : undefined, [])
      assert.deepEqual(yield* takeJobs, [kept])
    })
  },
  {
    says: "law 2: a job is one however often it is offered, before and after it was done",
    check: Effect.gen(function* () {
      yield* takeJobs
      const [job] = freshJobs(1)
      assert.ok(job)
      yield* offered([job, job])
      yield* offered([job])
      assert.deepEqual(yield* takeJobs, [job])
      yield* offered([job])
      yield* (yield* Jobs).forget
      assert.deepEqual(yield* takeJobs, [])
    })
  },
  {
    says: "law 4: work that fails or dies runs again, and work that succeeds does not",
    check: Effect.gen(function* () {
      yield* takeJobs
      const { run } = yield* Jobs
      const jobs = freshJobs(2)
      yield* offered(jobs)
      yield* Effect.exit(run(() => Effect.fail("not now")))
      yield* Effect.exit(run(() => Effect.die("a bug")))
      const again: Array<Job> = []
      while (again.length < jobs.length)
        yield* run((job) => Effect.sync(() => void again.push(job))).pipe(Effect.timeout("10 seconds"))
      assert.deepEqual(new Set(again), new Set(jobs))
      assert.deepEqual(yield* takeJobs, [])
    })
  },
  {
    says: "law 4: work that is interrupted is free again at once",
    check: Effect.gen(function* () {
      yield* takeJobs
      const { run } = yield* Jobs
      const [job] = freshJobs(1)
      assert.ok(job)
      yield* offered([job])
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        run(() => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      )
      yield* Deferred.await(begun)
      assert.deepEqual(yield* takeJobs, [])
      yield* Fiber.interrupt(fiber)
      assert.deepEqual(yield* takeJobs, [job])
    })
  },
  {
    says: "law 5: a job waits for its delay, and those due come in the order in which they were due",
    check: Effect.gen(function* () {
      yield* takeJobs
      const [late, first, second] = freshJobs(3)
      assert.ok(late && first && second)
      const { offer } = yield* Jobs
      yield* offer([{ job: late, delayMs: 2_000 }])
      yield* offered([first])
      yield* offered([second])
      assert.deepEqual(yield* takeJobs, [first, second])
      yield* Effect.sleep("2 seconds")
      assert.deepEqual(yield* takeJobs, [late])
    })
  }
]

/** What they keep when two processes share the queue. */
export const sharedJobsLaws: ReadonlyArray<Law<Webhooks | WebhooksElsewhere>> = [
  {
    says: "law 3: two hundred jobs run once each, whichever of two processes takes them",
    check: Effect.gen(function* () {
      const elsewhere = yield* WebhooksElsewhere
      yield* takeJobs
      const jobs = freshJobs(200)
      yield* offered(jobs)
      const taken: Array<Job> = []
      const running = Effect.gen(function* () {
        const { run } = yield* Jobs
        const one = run((job) =>
          Effect.andThen(
            Effect.sleep(1),
            Effect.sync(() => void taken.push(job))
          )
        )
        while (taken.length < jobs.length) yield* Effect.timeoutOption(one, "1 second")
      })
      const many = Effect.all(
        Array.from({ length: 8 }, () => running),
        { concurrency: "unbounded" }
      )
      yield* Effect.all([many, Effect.provide(many, elsewhere)], { concurrency: 2 })
      assert.equal(taken.length, jobs.length)
      assert.deepEqual(new Set(taken), new Set(jobs))
    })
  },
  {
    says: "law 3: a process that waits has within two seconds what another offered and has no hand for",
    check: Effect.gen(function* () {
      const elsewhere = yield* WebhooksElsewhere
      yield* takeJobs
      const [job] = freshJobs(1)
      assert.ok(job)
      const { run } = yield* Effect.provide(Jobs, elsewhere)
      const taken = yield* Deferred.make<Job>()
      const waiting = yield* Effect.forkChild(run((next) => Deferred.succeed(taken, next)))
      yield* Effect.sleep("1500 millis")
      yield* offered([job])
      assert.deepEqual(yield* Effect.timeout(Deferred.await(taken), "2 seconds"), job)
      yield* Fiber.join(waiting)
    })
  }
]

const offered = (jobs: ReadonlyArray<Job>) =>
  Effect.flatMap(Jobs, ({ offer }) => offer(jobs.map((job) => ({ job, delayMs: 0 }))))

/** Of deliveries that no other law has. */
const freshJobs = (count: number): ReadonlyArray<Job> =>
  Array.from({ length: count }, () => {
    lastId += 1
    return { _tag: "Deliver", deliveryId: lastId, turn: 1 }
  })
let lastId = 4_000_000_000
