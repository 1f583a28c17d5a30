import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { change } from "../../adapters/memory/change.ts"

/** Stands for whatever a write changes beside the ledger: rows, events, jobs. */
export class Marks extends Context.Service<
  Marks,
  {
    readonly set: (mark: string) => Effect.Effect<void>
    readonly count: (mark: string) => Effect.Effect<number>
  }
>()("test/Marks") {}

/** Marks in the process; its own map is handed in, so that two may share it. */
export const memoryMarks = (marks: Map<string, number>) =>
  Layer.succeed(Marks, {
    set: (mark) =>
      change(() => {
        const before = marks.get(mark) ?? 0
        marks.set(mark, before + 1)
        return { value: undefined, undo: () => void marks.set(mark, before) }
      }),
    count: (mark) => Effect.sync(() => marks.get(mark) ?? 0)
  })

/** Marks in a table of their own, written by whatever client the transactions have. */
export const postgresMarks = Layer.effect(
  Marks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const found = yield* sql`select 1 from pg_tables where tablename = 'mark'`
    // Two that create one table at once may both find it absent.
    if (found.length === 0) {
      yield* sql.withTransaction(
        Effect.andThen(
          sql`select pg_advisory_xact_lock(62)`,
          sql`create table if not exists mark (mark text not null)`
        )
      )
    }
    return {
      set: (mark) => Effect.orDie(Effect.asVoid(sql`insert into mark (mark) values (${mark})`)),
      count: (mark) =>
        Effect.orDie(
          Effect.map(
            sql<{ readonly count: number }>`select count(*)::int4 as count from mark where mark = ${mark}`,
            ([row]) => row?.count ?? 0
          )
        )
    }
  })
)
