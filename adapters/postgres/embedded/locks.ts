import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { role } from "./cluster.ts"
import { EmbeddedRefused } from "./EmbeddedRefused.ts"

/**
 * Shared by every process that uses the cluster; whoever gets it alone is the last and may stop the server.
 */
export const useLock = 7

/** Held by the one server of a cluster; the command line does without. */
export const serverLock = 8

/** One process's hold on the running cluster: a connection with its locks, open until `scope` closes. */
export interface Hold {
  readonly connection: PgConnection.PgConnection
  readonly scope: Scope.Closeable
  /** Returns when the connection has gone, and the locks with it. */
  readonly lost: Effect.Effect<void>
}

/**
 * What became of one attempt: no server answers, one is starting or stopping, or another server is there.
 */
export type Attempt = Hold | "absent" | "busy" | "taken"

/** Who asks: the one server of a data folder, or a command beside it. */
export type Part = "server" | "command"

/** Tries once to take the locks of a running server. */
export const tryHold = (socket: string, part: Part): Effect.Effect<Attempt, EmbeddedRefused> =>
  Effect.flatMap(Scope.make(), (scope) =>
    take(socket, part, scope).pipe(
      Effect.catch(judge),
      Effect.onExit((exit) =>
        Exit.isSuccess(exit) && typeof exit.value === "object" ? Effect.void : Scope.close(scope, Exit.void)
      )
    )
  )

/**
 * Gives the locks back. True when nobody else uses the cluster, and then nobody can begin to until it
 * stopped.
 */
export const leave = (hold: Hold): Effect.Effect<boolean, SqlError> =>
  Effect.andThen(
    hold.connection.query("select pg_advisory_unlock_all()"),
    granted(hold.connection, `pg_try_advisory_lock(${useLock})`)
  )

const take = Effect.fnUntraced(function* (socket: string, part: Part, scope: Scope.Closeable) {
  const connect = PgConnection.make({ host: socket, database: "postgres", username: role })
  // Pinned, because a listener would otherwise keep every later statement of ours waiting.
  const connection = yield* Scope.provide(
    Effect.flatMap(connect, (opened) => opened.pin),
    scope
  )
  if (!(yield* granted(connection, `pg_try_advisory_lock_shared(${useLock})`))) return "busy"
  // A shutdown that began before we had the lock lets no new connection in, so this second one proves there
  // is none.
  yield* Effect.scoped(Effect.flatMap(connect, (second) => second.query("select 1")))
  const alone = part === "command" || (yield* granted(connection, `pg_try_advisory_lock(${serverLock})`))
  if (!alone) return "taken"
  const queue = yield* Scope.provide(connection.listen("coverage_hold"), scope)
  const lost = Effect.exit(Effect.forever(Queue.take(queue))).pipe(Effect.asVoid)
  return { connection, scope, lost } satisfies Hold
})

const granted = (connection: PgConnection.PgConnection, lock: string) =>
  Effect.map(connection.queryValues(`select ${lock}`), (rows) => rows[0]?.[0] === true)

// No socket, or one that nobody listens on: no server. A server that starts, stops or became unavailable
// meanwhile is asked again. Whatever else it is will not pass by waiting.
const judge = (error: SqlError): Effect.Effect<Attempt, EmbeddedRefused> => {
  const cause: unknown = error.reason.cause
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "closed"
  if (code === "ENOENT" || code === "ECONNREFUSED") return Effect.succeed("absent")
  if (code.startsWith("57P") || whenLockPasses.has(code)) return Effect.succeed("busy")
  const why = cause instanceof Error ? cause.message : code
  return Effect.fail(
    new EmbeddedRefused({
      message: `PostgreSQL does not let this process in (${why}): put that right, or set DATABASE_URL.`
    })
  )
}

const whenLockPasses = new Set(["closed", "ECONNRESET", "EPIPE", "53300"])
