import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import { postgresLayer } from "../kit/postgres.ts"

/**
 * Asked before an organization is known, or of a person: a key by its hash, a notice to one person. And a
 * table of the version before, into which nothing goes.
 */
const elsewhere = ["api_key", "notice", "usage_pending"]

layer(postgresLayer)((it) => {
  it.effect("every table of an organization carries its id in its primary key", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly name: string }>`select c.relname as name
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
        where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
          and not exists (
            select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey)
          ) order by 1`
      expect(rows.map(({ name }) => name)).toEqual(elsewhere)
    })
  )
})
