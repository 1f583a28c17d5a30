import type { SqlClient } from "effect/sql/SqlClient"

/**
 * A timestamptz as the wire writes times (contract §1, Types); the column's name is ours, never a caller's.
 */
export const timeText = (
  sql: SqlClient,
  column: "p.created_at" | "p.updated_at" | "changed_at" | "c.changed_at"
) => sql.literal(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
