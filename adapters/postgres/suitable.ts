import { randomUUID } from "node:crypto"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isSqlError } from "effect/sql/SqlError"
import type { Connection } from "./Database.ts"
import { address, poolSession } from "./Database.ts"
import { databaseFailure } from "./failure.ts"

/** Why a PostgreSQL cannot be used, in one sentence that says what to do. */
export class DatabaseRefused extends Schema.TaggedError<DatabaseRefused>()("DatabaseRefused", {
  message: Schema.String
}) {}

/** The oldest server that knows what the statements say (`old` in returning, virtual columns). */
const oldestServer = 180_000

/** A server that leaves this unanswered holds up the start no longer. */
const answerWithin = "10 seconds"

/** So many statements show whether a session stays on its server. */
const looks = 5

/**
 * What an operator's database must be for the service to keep its promises, looked at once at the start: its
 * version, the settings of a session, and whether a session stays on one server, which a pooler in
 * transaction mode does not give. Answers the connection with what follows from it.
 */
export const suitable = (connection: Connection): Effect.Effect<Connection, DatabaseRefused> =>
  "url" in connection
    ? Effect.gen(function* () {
        const isShared = yield* looked("DATABASE_URL", connection)
        const { listenUrl } = connection
        if (listenUrl === undefined) {
          return isShared ? yield* refuse(sharedSessions) : connection
        }
        if (yield* looked("DATABASE_LISTEN_URL", { url: listenUrl })) return yield* refuse(notDirect)
        return { ...connection, isShared }
      })
    : Effect.succeed(connection)

const sharedSessions =
  "DATABASE_URL is a pooler in transaction mode, which loses notifications: set DATABASE_LISTEN_URL to a " +
  "direct connection, or use pool_mode = session."

const notDirect = "DATABASE_LISTEN_URL is a pooler in transaction mode: it must be a direct connection."

const refuse = (message: string) => Effect.fail(new DatabaseRefused({ message }))

/** Whether statements of one session may go to several servers. */
const looked = (name: string, connection: Connection) =>
  Effect.scoped(
    Effect.gen(function* () {
      const config = { ...(yield* address(connection)), startupParameters: poolSession, prepare: false }
      const one = yield* PgConnection.make(config)
      const [row] = yield* one.queryValues(settingsSql, [])
      const [version, statementMs, idleMs, zone] = (row ?? []).map(String)
      if (Number(version) < oldestServer)
        return yield* refuse(`${name} is a PostgreSQL before version 18: version 18 or newer is needed.`)
      if (Number(statementMs) === 0 || Number(idleMs) === 0 || zone !== "UTC")
        return yield* refuse(
          `The pooler of ${name} drops settings of a session: set statement_timeout = '10s', ` +
            "idle_in_transaction_session_timeout = '15s', timezone = 'UTC' and jit = off for the login " +
            "(alter role … set …)."
        )
      return yield* isMoved(one, yield* PgConnection.make(config))
    })
  ).pipe(
    Effect.timeoutOrElse({
      duration: answerWithin,
      orElse: () => refuse(`${name} does not answer, or its pooler has too few connections.`)
    }),
    Effect.mapError((error) =>
      isSqlError(error)
        ? new DatabaseRefused({ message: databaseFailure(error).says.replaceAll("DATABASE_URL", name) })
        : error
    )
  )

const settingsSql = `select current_setting('server_version_num'),
  (extract(epoch from current_setting('statement_timeout')::interval) * 1000)::bigint::text,
  (extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval) * 1000)::bigint::text,
  current_setting('TimeZone')`

/**
 * A session's own setting is looked for while another session holds a transaction open: where the pooler
 * gives sessions a server for a transaction only, the other one now has the server that the setting is on.
 */
const isMoved = Effect.fnUntraced(function* (
  one: PgConnection.PgConnection,
  other: PgConnection.PgConnection
) {
  const mark = randomUUID()
  yield* one.queryValues("select set_config('coverage.session', $1, false)", [mark])
  yield* other.queryValues("begin", [])
  let isGone = false
  for (let look = 0; look < looks && !isGone; look++) {
    const found = yield* Effect.result(
      one.queryValues("select current_setting('coverage.session', true)", [])
    )
    isGone = Result.isFailure(found) || found.success[0]?.[0] !== mark
  }
  yield* other.queryValues("rollback", [])
  return isGone
})
