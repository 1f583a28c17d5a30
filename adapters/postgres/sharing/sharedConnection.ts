import type { PgConnection } from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"

/**
 * The connection as one member's statements see it. What several ask in one turn of the event loop goes out
 * in one socket write. A savepoint would be everybody's, so there is none: who needs one runs alone.
 */
export const sharedConnection = (pg: PgConnection): Connection => {
  const rows =
    (prepare: boolean): Connection["execute"] =>
    (text, parameters, transform) => {
      if (text.startsWith("SAVEPOINT")) return Effect.fail(noSavepoint)
      const answered = Effect.map(pg.query(text, parameters, prepare), (result) => result.rows)
      return transform === undefined ? answered : Effect.map(answered, transform)
    }
  return {
    execute: rows(true),
    executeUnprepared: rows(false),
    executeRaw: (text, parameters) => pg.query(text, parameters),
    executeValues: (text, parameters) => pg.queryValues(text, parameters),
    executeValuesUnprepared: (text, parameters) => pg.queryValues(text, parameters, false),
    executeStream: (text, parameters) => pg.stream(text, parameters)
  }
}

const noSavepoint = new SqlError({
  reason: new UnknownError({
    cause: new Error("A shared transaction has no savepoints"),
    message: "A shared transaction has no savepoints",
    operation: "execute"
  })
})
