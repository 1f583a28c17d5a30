import cluster from "node:cluster"
import type { Worker } from "node:cluster"
import * as Effect from "effect/Effect"
import type { Config } from "./config.ts"
import { connection } from "./layers.ts"

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
      yield* Effect.acquireRelease(
        Effect.sync(() => keepAlive(config.workers, announce)),
        (ended) => Effect.promise(ended)
      )
      return yield* Effect.never
    })
  )

/** Forks the workers; what it gives back ends them and waits until they have. */
const keepAlive = (count: number, announce: () => void): (() => Promise<void>) => {
  let stopping = false
  let listening = 0
  const fork = (): void => {
    const worker = cluster.fork()
    worker.once("listening", () => {
      listening += 1
      if (listening === count) announce()
    })
    worker.once("exit", () => {
      if (!stopping) setTimeout(() => stopping || fork(), restartAfterMs)
    })
  }
  for (let index = 0; index < count; index++) fork()
  return async () => {
    stopping = true
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(running.map(ended))
  }
}

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
