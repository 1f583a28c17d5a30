import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { StoreFault } from "../error/StoreFault.ts"

export class JobsUnavailable extends Schema.TaggedError<JobsUnavailable>()("JobsUnavailable", {
  fault: StoreFault
}) {}

/** What is to be done behind the calls. */
export const Job = Schema.Union([
  /**
   * One attempt of a delivery. `turn` counts the jobs that a delivery was given: an older one has nothing to
   * do, so that a delivery has one job however often it is replayed, resumed or put off.
   */
  Schema.TaggedStruct("Deliver", { deliveryId: Schema.Number, turn: Schema.Number }),
  /** Every pending delivery of an endpoint gets a job again; `atMs` tells one such input from the next. */
  Schema.TaggedStruct("Resume", { endpointId: Schema.Number, atMs: Schema.Number })
])
export type Job = typeof Job.Type

/** The one name of a job: what is offered again under it is the same job. */
export const jobName = (job: Job): string => {
  switch (job._tag) {
    case "Deliver":
      return `deliver ${job.deliveryId} ${job.turn}`
    case "Resume":
      return `resume ${job.endpointId} ${job.atMs}`
  }
}

export interface Offer {
  readonly job: Job
  /** From now; a store may round it up to whole seconds. */
  readonly delayMs: number
}

/** A job whose runner is gone runs again this long after its last sign of life (contract §2, Webhooks). */
export const abandonedMs = 15_000

/**
 * Work that outlives its process, done at least once.
 *
 * 1. An offer inside an open write belongs to it: the job is there when the write commits, and never before,
 *    nor when it does not.
 * 2. A job is offered once however often its name is, even after it was done, for at least two days.
 * 3. `run` waits for the next job that is due and runs it; two runs never have one job at once while both
 *    live.
 * 4. A job is done when `run`'s work succeeds. Work that fails is run again later, and none is ever given up;
 *    work that is interrupted is free again at once, and that of a process that is gone within
 *    `abandonedMs` and a little.
 * 5. A job is not run before its delay has passed; of those that are due, the one due longest comes first.
 * 6. An unavailable store fails `offer` with JobsUnavailable; `run` waits until it is back.
 */
export class Jobs extends Context.Service<
  Jobs,
  {
    readonly offer: (offers: ReadonlyArray<Offer>) => Effect.Effect<void, JobsUnavailable>
    readonly run: <E, R>(
      work: (job: Job) => Effect.Effect<void, E, R>
    ) => Effect.Effect<void, E | JobsUnavailable, R>
    /** Forgets the names of jobs done more than two days ago. */
    readonly forget: Effect.Effect<void, JobsUnavailable>
  }
>()("coverage/core/port/Jobs") {}
