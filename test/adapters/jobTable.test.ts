import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { postgresLayer } from "../kit/postgres.ts"

/** Columns and indexes of a table, by their definitions, under one name. */
const shapeOf = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql<Record<string, unknown>>`select column_name, data_type, is_nullable,
      character_maximum_length, case when column_default like 'nextval%' then null else column_default end
    from information_schema.columns where table_name = ${table} order by column_name`
  const indexes = yield* sql<{ readonly definition: string }>`select indexdef as definition from pg_indexes
    where tablename = ${table} order by indexname`
  return {
    columns: columns.map((column) => JSON.stringify(column)),
    indexes: new Set(indexes.map(({ definition }) => definition.replaceAll(table, "job")))
  }
})

describe("the table of jobs", () => {
  it.live("is the one that Effect's queue would make, with an index more for forgetting", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(PersistedQueue.makeStoreSql({ tableName: "made_by_effect" }))
      const [ours, theirs] = [yield* shapeOf("job"), yield* shapeOf("made_by_effect")]
      expect(ours.columns).toEqual(theirs.columns)
      for (const index of theirs.indexes) expect([...ours.indexes]).toContain(index)
      expect(ours.indexes.size).toBe(theirs.indexes.size + 1)
      const sql = yield* SqlClient.SqlClient
      const steps = (table: string) => sql`select migration_id, name from ${sql(table)} order by migration_id`
      expect(yield* steps("job_migrations")).toEqual(yield* steps("made_by_effect_migrations"))
    }).pipe(Effect.provide(postgresLayer))
  )
})
