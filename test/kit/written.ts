import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { Redis } from "ioredis"

/** Everything that the database holds, as text: every row of every table, and what each session last said. */
export const databaseText = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    sql.unsafe<{ readonly row: string }>(`select t::text as row from ${name} t`)
  )
  const said = yield* sql<{ readonly row: string }>`select query as row from pg_stat_activity`
  return {
    tables: tables.map(({ name }) => name),
    text: [...rows.flat(), ...said].map(({ row }) => row).join("\n")
  }
})

/** Every key of a Redis with its value, byte for byte. */
export const redisText = async (url: Redacted.Redacted): Promise<string> => {
  const client = new Redis(Redacted.value(url))
  try {
    const keys = await client.keys("*")
    const values = await Promise.all(keys.map((key) => client.dumpBuffer(key)))
    return [...keys, ...values.map((value) => value?.toString("latin1") ?? "")].join("\n")
  } finally {
    client.disconnect()
  }
}
