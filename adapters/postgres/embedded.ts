import type { ChildProcess } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Connection } from "./Database.ts"
import { self } from "./embedded/account.ts"
import type { Cluster } from "./embedded/cluster.ts"
import { database, dataOf, initialize, lastWords, logOf, role, start, stop } from "./embedded/cluster.ts"
import type { Hold, Part } from "./embedded/locks.ts"
import { leave, tryHold } from "./embedded/locks.ts"
import type { Place } from "./embedded/dataDirectory.ts"
import { place } from "./embedded/dataDirectory.ts"
import { EmbeddedRefused } from "./embedded/EmbeddedRefused.ts"
import { socketFolder } from "./embedded/socket.ts"
import { stage } from "./embedded/stage.ts"
import { sweep } from "./embedded/sweep.ts"

export { EmbeddedRefused } from "./embedded/EmbeddedRefused.ts"

/** How often a start asks whether the server answers: a server is up in 20 to 50 ms. */
export const askEveryMs = 10

/**
 * Recovering from a crash replays at most `max_wal_size`, which takes seconds; a minute means that it
 * hangs.
 */
export const answerMsMax = 60_000

/**
 * A server that ended is started again, since the backends of a killed one need a moment to let its memory
 * go.
 */
export const startsMax = 20
export const startAgainMs = 200

/** How long a living process waits before it tries again to bring a lost server back; it never gives up. */
export const reattachEveryMs = 1_000

/**
 * PostgreSQL without an operator: its programs, data and Unix socket belong to DATA_DIR, the first process
 * starts it and the last one stops it. Processes may come and go in any order and be killed at any moment;
 * a server that was killed is brought back while a process still uses it. One process with `role: "server"`
 * at a time.
 *
 * `settings` are further `name=value` settings of PostgreSQL, for tests that need no durability.
 */
export const startEmbedded = Effect.fn("postgres.embedded")(function* (options: {
  readonly dataDir: string
  readonly role: Part
  readonly settings?: ReadonlyArray<string>
}): Effect.fn.Return<Connection, EmbeddedRefused, Scope.Scope> {
  const cluster = yield* prepare(options.dataDir, options.settings ?? [])
  const use: Use = { cluster, part: options.role, hold: undefined, child: undefined }
  yield* Effect.addFinalizer(() => depart(use))
  const hold = yield* attach(use)
  yield* createDatabase(cluster, hold)
  yield* Effect.forkScoped(Effect.forever(reattach(use)))
  if (self().uid === 0) yield* Effect.forkScoped(Effect.ignore(Effect.tryPromise(() => sweep(Date.now()))))
  return { folder: cluster.socket, database, username: role }
})

/**
 * This process's use of the cluster: `hold` while it has its locks, `child` when it was the one to start
 * the server.
 */
interface Use {
  readonly cluster: Cluster
  readonly part: Part
  hold: Hold | undefined
  child: ChildProcess | undefined
}

const prepare = (dataDir: string, settings: ReadonlyArray<string>) =>
  refuseStart(dataDir, async (): Promise<Cluster> => {
    const found = await place(dataDir)
    const release = await stage(found.releases)
    const cluster = { place: found, release, socket: await socketFolder(found), settings }
    await initialize(cluster)
    return cluster
  })

// Uninterruptible but for its pauses, so that a connection that was made is always either held or closed.
const attach = (use: Use): Effect.Effect<Hold, EmbeddedRefused> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      let starts = 0
      for (let askedMs = 0; askedMs < answerMsMax; askedMs += askEveryMs) {
        const got = yield* tryHold(use.cluster.socket, use.part)
        if (typeof got === "object") {
          use.hold = got
          return got
        }
        if (got === "taken") return yield* alreadyServed(use.cluster)
        if (got === "absent" && !isRunning(use.child)) {
          if (starts === startsMax) break
          if (starts > 0) yield* restore(Effect.sleep(startAgainMs))
          starts += 1
          use.child = yield* refuseStart(use.cluster.place.dataDir, () => start(use.cluster))
        }
        yield* restore(Effect.sleep(askEveryMs))
      }
      return yield* silent(use.cluster)
    })
  )

const reattach = (use: Use) =>
  Effect.gen(function* () {
    if (use.hold !== undefined) {
      yield* use.hold.lost
      yield* Scope.close(use.hold.scope, Exit.void)
      use.hold = undefined
    }
    yield* attach(use)
  }).pipe(
    Effect.catch((error) => Effect.andThen(Effect.logError(error.message), Effect.sleep(reattachEveryMs)))
  )

// A hold that was lost a moment ago is taken once more, for its server may live and have no other user. A
// server that this process has only begun to start is waited for, since it would be left running.
const depart = (use: Use) =>
  Effect.gen(function* () {
    const { place, socket } = use.cluster
    if (use.hold !== undefined && (yield* left(use.hold, place))) return
    for (let askedMs = 0; askedMs < answerMsMax; askedMs += askEveryMs) {
      const again = yield* Effect.orElseSucceed(tryHold(socket, "command"), () => "absent" as const)
      if (typeof again === "object") return void (yield* left(again, place))
      if (!isRunning(use.child)) return
      yield* Effect.sleep(askEveryMs)
    }
  })

// The connection closes last: its lock keeps everybody out while the server stops. False when it was gone
// already.
const left = Effect.fnUntraced(function* (hold: Hold, place: Place) {
  const last = yield* givenBack(hold)
  if (last === true) yield* stopped(place)
  yield* Scope.close(hold.scope, Exit.void)
  return last !== undefined
})

// Nothing when the connection is gone.
const givenBack = (hold: Hold): Effect.Effect<boolean | undefined> =>
  Effect.orElseSucceed(leave(hold), () => undefined)

const stopped = (where: Place) => Effect.promise(() => stop(dataOf(where)))

// One at a time, since two processes that make the same database at once both see it missing.
const createDatabase = ({ place: { folder } }: Cluster, { connection }: Hold) =>
  Effect.gen(function* () {
    yield* connection.query(`select pg_advisory_lock(${databaseLock})`)
    const found = yield* connection.query(`select 1 from pg_database where datname = '${database}'`)
    if (found.rows.length === 0) yield* connection.query(`create database ${database}`)
    yield* connection.query(`select pg_advisory_unlock(${databaseLock})`)
  }).pipe(
    Effect.mapError(
      (error) =>
        new EmbeddedRefused({
          message:
            `PostgreSQL in ${folder} could not make its database (${String(error.reason.cause)}): ` +
            "put that right, or set DATABASE_URL."
        })
    )
  )

const databaseLock = 9

const silent = ({ place: where }: Cluster) =>
  Effect.flatMap(
    Effect.promise(() => lastWords(where)),
    (words) =>
      Effect.fail(
        new EmbeddedRefused({
          message: `PostgreSQL does not answer (${words}): see ${logOf(where)}, or set DATABASE_URL.`
        })
      )
  )

const refuseStart = <A>(dataDir: string, act: () => Promise<A>) =>
  Effect.tryPromise({
    try: act,
    catch: (cause) =>
      cause instanceof EmbeddedRefused
        ? cause
        : new EmbeddedRefused({
            message:
              `The data folder ${dataDir} cannot be used (` +
              `${cause instanceof Error ? cause.message : "unknown"}): ` +
              "put that right, or set another DATA_DIR or DATABASE_URL."
          })
  })

const isRunning = (child: ChildProcess | undefined): boolean =>
  child?.pid !== undefined && child.exitCode === null && child.signalCode === null

const alreadyServed = ({ place: { dataDir } }: Cluster) =>
  new EmbeddedRefused({
    message:
      `Another server already uses the data folder ${dataDir}: stop it first, ` +
      "give this one another DATA_DIR, or set DATABASE_URL so that both share one PostgreSQL."
  })
