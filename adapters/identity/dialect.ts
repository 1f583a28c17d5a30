import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely"
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely"

/**
 * PostgreSQL for the auth library through the one pool of the process, so that no second driver needs limits
 * and monitoring. `onFault` gets every failure, because the library turns some into results of its own.
 */
export const dialectOver = (sql: SqlClient, onFault: (error: unknown) => void): Dialect => ({
  createDriver: () => driverOver(sql, onFault),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db)
})

/** Every statement outside a transaction borrows a connection; a transaction holds one. */
interface BorrowedConnection extends DatabaseConnection {
  readonly begin: () => Promise<void>
  readonly end: (statement: "commit" | "rollback") => Promise<void>
}

type Run = <A>(effect: Effect.Effect<A, SqlError>) => Promise<A>

const driverOver = (sql: SqlClient, onFault: (error: unknown) => void): Driver => {
  const run: Run = (effect) =>
    Effect.runPromise(Effect.tapCause(effect, (cause) => Effect.sync(() => onFault(Cause.squash(cause)))))
  // Kysely passes back the connections of acquireConnection.
  const own = (connection: DatabaseConnection) => connection as BorrowedConnection
  return {
    init: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(borrowedOver(sql, run)),
    releaseConnection: () => Promise.resolve(),
    beginTransaction: (connection) => own(connection).begin(),
    commitTransaction: (connection) => own(connection).end("commit"),
    rollbackTransaction: (connection) => own(connection).end("rollback")
  }
}

const borrowedOver = (sql: SqlClient, run: Run): BorrowedConnection => {
  let held: { readonly scope: Scope.Closeable; readonly connection: Connection } | undefined
  const begin = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const begun = Effect.tap(Scope.provide(sql.reserve, scope), (one) => one.executeRaw("begin", []))
    const connection = yield* Effect.onError(begun, (cause) => Scope.close(scope, Exit.failCause(cause)))
    held = { scope, connection }
  })
  const end = (statement: "commit" | "rollback") =>
    Effect.suspend(() => {
      const ended = held
      held = undefined
      if (ended === undefined) return Effect.void
      return Effect.onExit(ended.connection.executeRaw(statement, []), (exit) =>
        Scope.close(ended.scope, exit)
      )
    })
  const execute = ({ parameters, sql: text }: CompiledQuery) =>
    held === undefined ? sql.unsafe(text, parameters).raw : held.connection.executeRaw(text, parameters)
  return {
    begin: () => run(begin),
    end: (statement) => run(Effect.asVoid(end(statement))),
    executeQuery: <Row>(query: CompiledQuery) => run(Effect.map(execute(query), resultOf<Row>)),
    streamQuery: () => {
      throw new Error("the auth library streams nothing")
    }
  }
}

// Effect types the result of its driver as unknown.
const resultOf = <Row>(answer: unknown): QueryResult<Row> => {
  const { rowCount, rows } = answer as { readonly rowCount: number; readonly rows: ReadonlyArray<Row> }
  return { rows: [...rows], numAffectedRows: BigInt(rowCount) }
}
