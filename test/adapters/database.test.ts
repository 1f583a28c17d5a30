import { it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"
import { describe, expect } from "vitest"
import type { Connection } from "../../adapters/postgres/Database.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { cutAt } from "../kit/cutConnection.ts"
import { emptyDatabase, postgresLayer } from "../kit/postgres.ts"

class NotesUnavailable extends Data.TaggedError("NotesUnavailable")<{ readonly fault: StoreFault }> {}
const unavailable = Database.unavailable((fault) => new NotesUnavailable({ fault }))

describe("the clients", () => {
  it.effect("§1 both answer from a fresh migrated database, in UTC and with a deadline", () =>
    Effect.gen(function* () {
      const pool = yield* Database.Pool
      const multiplexed = yield* Database.PipelinedClient
      expect(yield* pool`show timezone`).toEqual([{ TimeZone: "UTC" }])
      expect(yield* pool`show statement_timeout`).toEqual([{ statement_timeout: "10s" }])
      expect(yield* multiplexed`show statement_timeout`).toEqual([{ statement_timeout: "2s" }])
      expect(yield* multiplexed`select name from schema_migration order by id limit 1`).toEqual([
        { name: "0001-accounts" }
      ])
    }).pipe(Effect.provide(postgresLayer))
  )

  it.live("both answer again after the server cut their connections", () =>
    Effect.gen(function* () {
      const pool = yield* Database.Pool
      const multiplexed = yield* Database.PipelinedClient
      for (const client of [pool, multiplexed]) {
        yield* client`select 1`
        yield* Effect.exit(client`select pg_terminate_backend(pg_backend_pid())`)
        expect(yield* client`select 1 as one`).toEqual([{ one: 1 }])
      }
    }).pipe(Effect.provide(postgresLayer))
  )
})

describe("§1 server faults: why a statement failed", () => {
  type Failing = (sql: SqlClient) => Effect.Effect<unknown, unknown>
  const failures: ReadonlyArray<readonly [string, StoreFault, Failing]> = [
    ["a statement the store does not understand", "refused", (sql) => sql`selekt 1`],
    ["a value it does not take", "refused", (sql) => sql`select ${"x"}::integer`],
    [
      "a statement cut off by its deadline",
      "timeout",
      (sql) =>
        sql.withTransaction(Effect.andThen(sql`set local statement_timeout = 10`, sql`select pg_sleep(5)`))
    ],
    ["a server that shuts down", "unreachable", (sql) => sql`select pg_terminate_backend(pg_backend_pid())`],
    [
      "the same inside a transaction, which is a defect to the driver",
      "unreachable",
      (sql) => sql.withTransaction(sql`select pg_terminate_backend(pg_backend_pid())`)
    ]
  ]
  for (const [says, fault, fail] of failures) {
    it.live(`${says} is ${fault}`, () =>
      Effect.gen(function* () {
        const sql = yield* Database.Pool
        expect(yield* Effect.flip(unavailable(fail(sql)))).toEqual(new NotesUnavailable({ fault }))
      }).pipe(Effect.provide(postgresLayer))
    )
  }

  it.live("a server that is not there is unreachable, for a write too", () =>
    Effect.gen(function* () {
      const sql = yield* Database.Pool
      const write = sql`select 1`.pipe(Database.unconfirmed((fault) => new NotesUnavailable({ fault })))
      expect((yield* Effect.flip(write)).fault).toBe("unreachable")
    }).pipe(Effect.provide(Database.layer({ folder: "/nowhere", database: "none", username: "none" })))
  )

  const codes = [
    ["57P03", "unreachable"],
    ["53300", "unreachable"],
    ["53100", "unreachable"],
    ["54001", "refused"]
  ] as const
  for (const [code, fault] of codes) {
    it(`SQLSTATE ${code} is ${fault}`, () => {
      const cause = Object.assign(new Error(code), { code })
      const reason = new SqlError.UnknownError({ cause, message: code, operation: "query" })
      expect(Database.classify(new SqlError.SqlError({ reason }))).toBe(fault)
    })
  }

  it.live("a defect that is not the store's stays a defect", () =>
    Effect.gen(function* () {
      expect(yield* Effect.exit(unavailable(Effect.die("bug")))).toEqual(Exit.die("bug"))
    })
  )
})

describe("§1 server faults: a transaction whose connection is lost", () => {
  const note = (connection: Connection) =>
    Effect.gen(function* () {
      const sql = yield* Database.Pool
      yield* Database.atomically(sql`insert into note values ('written')`)
    }).pipe(Effect.provide(Database.layer(connection)))

  const losses = [
    ["before COMMIT arrived", "COMMIT", "before", "unknown_outcome", 0],
    ["after COMMIT was done and before it was heard of", "COMMIT", "after", "unknown_outcome", 1],
    ["earlier", "insert into", "after", "unreachable", 0],
    ["at BEGIN", "BEGIN", "before", "unreachable", 0]
  ] as const
  for (const [says, text, moment, fault, kept] of losses) {
    it.live(`${says} is ${fault}`, () =>
      Effect.gen(function* () {
        const connection = yield* emptyDatabase
        yield* direct(connection, "create table note (text text)")
        const failure = yield* Effect.flip(note(yield* cutAt(connection, text, moment)))
        expect(failure).toEqual(new Database.StoreFailed({ fault }))
        expect(yield* direct(connection, "select * from note")).toHaveLength(kept)
      }).pipe(Effect.scoped)
    )
  }

  it.live("a lone write lost after it was sent is unknown_outcome", () =>
    Effect.gen(function* () {
      const connection = yield* emptyDatabase
      const write = Effect.flatMap(Database.Pool, (sql) => sql`create table note (text text)`).pipe(
        Database.unconfirmed((fault) => new NotesUnavailable({ fault })),
        Effect.provide(Database.layer(yield* cutAt(connection, "create table", "after")))
      )
      expect(yield* Effect.flip(write)).toEqual(new NotesUnavailable({ fault: "unknown_outcome" }))
    }).pipe(Effect.scoped)
  )

  it.live("a COMMIT that the store refuses is refused, and nothing is kept", () =>
    Effect.gen(function* () {
      const connection = yield* emptyDatabase
      yield* direct(connection, "create table note (text text unique deferrable initially deferred)")
      yield* direct(connection, "insert into note values ('written')")
      expect(yield* Effect.flip(note(connection))).toEqual(new Database.StoreFailed({ fault: "refused" }))
      expect(yield* direct(connection, "select * from note")).toHaveLength(1)
    }).pipe(Effect.scoped)
  )

  it.live("a failure of the caller's own rolls back and passes through", () =>
    Effect.gen(function* () {
      const sql = yield* Database.Pool
      yield* sql`create table note (text text)`
      const work = Effect.andThen(sql`insert into note values ('x')`, Effect.fail("no" as const))
      expect(yield* Effect.flip(Database.atomically(work))).toBe("no")
      expect(yield* sql`select * from note`).toEqual([])
    }).pipe(Effect.provide(postgresLayer))
  )

  it.live("inside another one it is a part of it, without a statement of its own", () =>
    Effect.gen(function* () {
      const sql = yield* Database.Pool
      yield* sql`create table note (text text)`
      const part = Database.atomically(sql`insert into note values ('x')`)
      const both = Effect.andThen(part, part)
      yield* Database.atomically(both)
      expect(
        yield* sql`select count(distinct xmin::text)::int as whole, count(*)::int as parts from note`
      ).toEqual([{ whole: 1, parts: 2 }])
      expect(yield* Effect.flip(Database.atomically(Effect.andThen(both, Effect.fail("no"))))).toBe("no")
      expect(yield* sql`select text from note`).toHaveLength(2)
    }).pipe(Effect.provide(postgresLayer))
  )

  it.live("a part that failed takes the whole along, whoever caught its failure", () =>
    Effect.gen(function* () {
      const sql = yield* Database.Pool
      yield* sql`create table note (text text)`
      const part = Database.atomically(Effect.andThen(sql`insert into note values ('x')`, Effect.fail("no")))
      const work = Effect.andThen(Effect.exit(part), sql`insert into note values ('y')`)
      expect(yield* Effect.flip(Database.atomically(work))).toEqual(
        new Database.StoreFailed({ fault: "refused" })
      )
      expect(yield* sql`select text from note`).toEqual([])
    }).pipe(Effect.provide(postgresLayer))
  )
})

describe("migrations", () => {
  it.live("are applied once when processes start together", () =>
    Effect.gen(function* () {
      const connection = yield* emptyDatabase
      const start = migrate(migrations).pipe(Effect.provide(Database.layer(connection)))
      const applied = yield* Effect.all([start, start, start], { concurrency: "unbounded" })
      expect(applied.flat()).toEqual(migrations.map((migration) => migration.name))
      expect(yield* start).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("leave nothing behind when one of them fails", () =>
    Effect.gen(function* () {
      const connection = yield* emptyDatabase
      const broken = [
        { id: 1, name: "0001-one", statements: ["create table one (id integer)"] },
        { id: 2, name: "0002-two", statements: ["create table two (id integer)", "selekt"] }
      ]
      const failure = yield* Effect.flip(migrate(broken).pipe(Effect.provide(Database.layer(connection))))
      expect(failure).toEqual(new Database.StoreFailed({ fault: "refused" }))
      expect(yield* direct(connection, "select 1 from pg_tables where schemaname = 'public'")).toEqual([])
    }).pipe(Effect.scoped)
  )
})

const direct = (connection: Connection, statement: string) =>
  Effect.flatMap(Database.Pool, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(Database.layer(connection))
  )
