import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { atomically } from "./atomically.ts"

/**
 * One step of the schema: single statements, run in order. What was released is never edited, only
 * followed.
 */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly statements: ReadonlyArray<string>
}

/** Held while migrations run, so that processes starting together apply each of them once. */
const migrationLock = 6

/**
 * Brings the schema up to date: everything pending in one transaction, all or nothing. Answers the names it
 * applied. A statement may take as long as it needs: an index over a large table is slower than any call.
 */
export const migrate = Effect.fn("postgres.migrate")(function* (migrations: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient.SqlClient
  return yield* atomically(
    Effect.gen(function* () {
      yield* sql`set local statement_timeout = 0`
      yield* sql`select pg_advisory_xact_lock(${migrationLock})`
      yield* sql`create table if not exists schema_migration (
      id integer primary key, name text not null, applied_at timestamptz not null default now())`
      const done = yield* sql<{ readonly id: number }>`select id from schema_migration`
      const applied = new Set(done.map((row) => row.id))
      const pending = migrations.filter((migration) => !applied.has(migration.id))
      yield* Effect.forEach(pending, (migration) => apply(sql, migration), { discard: true })
      return pending.map((migration) => migration.name)
    })
  )
})

const apply = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, migration: Migration) {
  for (const statement of migration.statements) yield* sql.unsafe(statement).unprepared
  yield* sql`insert into schema_migration (id, name) values (${migration.id}, ${migration.name})`
})
