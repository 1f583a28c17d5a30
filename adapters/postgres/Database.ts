import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { parseDatabaseUrl } from "./hosts.ts"
import type { DatabaseAddress } from "./hosts.ts"
import { followPrimary } from "./primary.ts"
import { makeStoreHealth, StoreHealth } from "./StoreHealth.ts"

export { atomically } from "./atomically.ts"
export { classify, StoreFailed, unavailable, unconfirmedWrite as unconfirmed } from "./fault.ts"

/** Where PostgreSQL is: an operator's DATABASE_URL, or the folder of the embedded server's socket. */
export type Connection =
  | {
      readonly url: Redacted.Redacted
      /** A direct connection for notifications, where the URL is a pooler. */
      readonly listenUrl?: Redacted.Redacted | undefined
      /** Whether statements of a session may go to several servers: a pooler in transaction mode. */
      readonly isShared?: boolean
    }
  | { readonly folder: string; readonly database: string; readonly username: string }

/** The driver's words for the connection that hears notifications: one that is nobody else's. */
export class ListenConfig extends Context.Service<ListenConfig, PgClient.PgClientConfig>()(
  "coverage/adapters/postgres/ListenConfig"
) {}

/**
 * The client for writes, lists, search and transactions. Only the pool provides `SqlClient`, because a
 * query on the multiplexed client would not join the open transaction.
 */
export const Pool = SqlClient.SqlClient

/**
 * The client that pipelines many callers' statements into one socket write. For statements by primary key
 * that stand alone: reads, and the beginning of a turn at an idempotency key. One slow statement delays
 * every statement behind it, and none can be cancelled there.
 */
export class PipelinedClient extends Context.Service<PipelinedClient, PgClient.PgClient>()(
  "coverage/adapters/postgres/Multiplexed"
) {}

/**
 * Nine connections of the pool per process, 14 with the others: PostgreSQL's default of 100 then carries six
 * processes and an operator.
 */
export const poolConnectionsMax = 9

/**
 * Two pipelines keep two cores of PostgreSQL busy; more only spread the same statements over more socket
 * writes.
 */
export const multiplexedConnectionsMax = 2

/** A call has 10 s in all, so no statement of one may hold a connection longer. */
export const poolStatementMs = 10_000

/**
 * A primary-key read takes well under a millisecond; one that takes two seconds is stuck and holds up the
 * others.
 */
export const multiplexedStatementMs = 2_000

/**
 * A transaction never waits for anything but PostgreSQL, so one that idles belongs to a caller that is
 * gone.
 */
export const idleTransactionMs = 15_000

/** The clients. They connect when first used and by themselves again after the database came back. */
export const layer = (connection: Connection): Layer.Layer<DatabaseClients, SqlError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const config = yield* address(connection)
      // A server that changes with every statement knows none by name, and takes none sent together.
      const isShared = "url" in connection && connection.isShared === true
      const shared = { ...config, ...(isShared ? { prepare: false } : {}) }
      const pool = yield* PgClient.make({
        ...shared,
        maxConnections: poolConnectionsMax,
        startupParameters: poolSession
      })
      const multiplexed = yield* PgClient.make({
        ...shared,
        multiplex: !isShared,
        maxConnections: isShared ? poolConnectionsMax : multiplexedConnectionsMax,
        startupParameters: session(multiplexedStatementMs)
      })
      const listening =
        "url" in connection && connection.listenUrl !== undefined
          ? yield* address({ url: connection.listenUrl })
          : config
      return Context.make(PgClient.PgClient, pool).pipe(
        Context.add(SqlClient.SqlClient, pool),
        Context.add(PipelinedClient, multiplexed),
        Context.add(ListenConfig, { ...listening, startupParameters: poolSession }),
        Context.add(StoreHealth, makeStoreHealth())
      )
    })
  ).pipe(Layer.provide(Reactivity.layer))

/** What the adapter's stores are made of. */
export type DatabaseClients =
  | PgClient.PgClient
  | SqlClient.SqlClient
  | PipelinedClient
  | ListenConfig
  | StoreHealth

/**
 * The driver's words for a connection, for the few who need one of their own too (locks, LISTEN). Of several
 * hosts the one that takes writes is followed for as long as the scope is open.
 */
export const address = (
  connection: Connection
): Effect.Effect<PgClient.PgClientConfig, never, Scope.Scope> => {
  if ("folder" in connection) return Effect.succeed(socketAddress(connection))
  const found = parseDatabaseUrl(Redacted.value(connection.url))
  const config = {
    ...(found === undefined ? {} : namedHost(found)),
    url: found === undefined ? connection.url : Redacted.make(found.url),
    applicationName,
    connectTimeout,
    keepAlive
  }
  return found === undefined || found.hosts.length === 1
    ? Effect.succeed(config)
    : Effect.map(followPrimary(config, found.hosts), (stream) => ({ ...config, stream }))
}

/** Said by themselves too, since spans name only what is, and take a URL's for localhost. */
const namedHost = ({ hosts: [{ host, port }], url }: DatabaseAddress) => {
  const { pathname, searchParams } = new URL(url)
  const database = searchParams.get("dbname") ?? decodeURIComponent(pathname.slice(1))
  return {
    host: searchParams.get("host") ?? (host === "" ? "localhost" : host),
    port: Number(searchParams.get("port") ?? port),
    ...(database === "" ? {} : { database })
  }
}

/** The address of the embedded server, which needs no looking. */
export const socketAddress = ({
  database,
  folder,
  username
}: Extract<Connection, { readonly folder: string }>): PgClient.PgClientConfig => ({
  host: folder,
  database,
  username,
  applicationName,
  connectTimeout
})

const applicationName = "coverage-policy"
const connectTimeout = Duration.seconds(5)
// A peer that vanished without a word is noticed after about twenty seconds instead of two hours.
const keepAlive = Duration.seconds(10)

// Times are read and written as UTC text whatever the server's own zone; the just-in-time compiler costs
// short statements more than it saves.
const session = (statementMs: number): Readonly<Record<string, string>> => ({
  TimeZone: "UTC",
  statement_timeout: String(statementMs),
  idle_in_transaction_session_timeout: String(idleTransactionMs),
  jit: "off"
})

/** The settings of a session that is not pipelined. */
export const poolSession = session(poolStatementMs)
