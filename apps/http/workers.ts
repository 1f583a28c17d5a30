import cluster from "node:cluster"
import type { Worker } from "node:cluster"
import * as Effect from "effect/Effect"
import type { Config } from "./config.ts"
import { connection } from "./layers.ts"
import { answerScrapes } from "./workerMetrics.ts"

/** A worker that ended is started again after this; one that cannot start at all must not spin. */
const restartAfterMs = 1_000

/**
 * WORKERS above 1: this process answers no call; it holds the embedded PostgreSQL, if that is used, as its
 * one server, and keeps so many workers alive, which share the port, the database and Redis. Ends when they
 * have drained.
 */
export const supervise = (config: Config, announce: () => void) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* connection(config, "server")
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const say: Say = (facts) => void run(Effect.annotateLogs(Effect.logError("a worker ended"), facts))
      yield* Effect.acquireRelease(
        Effect.sync(() => keepAlive(config, announce, say)),
        (ended) => Effect.promise(ended)
      )
      return yield* Effect.never
    })
  )

/** Forks the workers; what it gives back ends them and waits until they have. */
const keepAlive = (
  { port, workers: count }: Config,
  announce: () => void,
  say: Say
): (() => Promise<void>) => {
  let stopping = false
  let listening = 0
  let restarts = 0
  const places = new Map<Worker, number>()
  answerScrapes(places, () => restartsPage(restarts))
  const fork = (place: number): void => {
    // The system chose it where PORT was 0, and would choose another one for each of them.
    const worker = cluster.fork({ PORT: String(port) })
    places.set(worker, place)
    worker.once("listening", () => {
      listening += 1
      if (listening === count) announce()
    })
    worker.once("exit", (code, signal) => {
      places.delete(worker)
      if (stopping) return
      restarts += 1
      say({ worker: place, pid: worker.process.pid, code, signal, restarts })
      setTimeout(() => stopping || fork(place), restartAfterMs)
    })
  }
  for (let place = 1; place <= count; place++) fork(place)
  return async () => {
    stopping = true
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(running.map(ended))
  }
}

/** Tells of a worker that ended by itself. */
type Say = (facts: Readonly<Record<string, unknown>>) => void

const restartsPage = (restarts: number): string =>
  "# HELP coverage_worker_restarts_total Workers that ended by themselves and were started again.\n" +
  `# TYPE coverage_worker_restarts_total counter\ncoverage_worker_restarts_total ${restarts}\n`

const ended = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    if (worker.isDead()) return resolve()
    worker.once("exit", () => resolve())
    worker.process.kill("SIGTERM")
  })

/**
 * Whether this process is one of several workers, and so announces nothing and joins the database as a guest.
 */
export const isWorker = (): boolean => cluster.isWorker
