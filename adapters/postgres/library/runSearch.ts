import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * A search takes milliseconds; one that takes three seconds would leave its call no time to say so (10 s in
 * all).
 */
export const searchStatementMs = 3_000

/**
 * So many matches of a search are ranked by their words. A text that finds more is broad: what a rank would
 * tell apart then, nobody reads to the end, and to compute it for all of a library's matches takes the longer
 * the more was ever kept.
 */
export const rankedMatchesMax = 500

/**
 * Runs a search under its time limit, in one process: to start workers takes longer than the search. Reading
 * whole tables is ruled out, because PostgreSQL holds the unpacking of a long index entry to be free: for a
 * common word it would unpack every one of them (60 ms for 3,000 documents) instead of asking the index (3
 * ms).
 */
export const runSearch = <A>(sql: SqlClient, statements: Effect.Effect<A, SqlError>) =>
  sql.withTransaction(
    Effect.andThen(
      sql`select set_config('statement_timeout', ${String(searchStatementMs)}, true),
      set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`,
      statements
    )
  )

/**
 * One page of a search by words: ranked while few enough match, else in the order of what needs no rank.
 * Which of the two it is stays with the list, so that it keeps its order to its end while others are written.
 */
export const rankedOrBroad = <Row, E>(
  began: "ranked" | "broad" | null,
  read: {
    /** At most `matchesMax` matches are ranked; null: all, since the list began as one of few. */
    readonly ranked: (
      matchesMax: number | null
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<Row>; readonly matches: number }, E>
    readonly broad: Effect.Effect<ReadonlyArray<Row>, E>
  }
): Effect.Effect<ReadonlyArray<Row>, E> => {
  if (began === "broad") return read.broad
  if (began === "ranked") return Effect.map(read.ranked(null), ({ rows }) => rows)
  return Effect.flatMap(read.ranked(rankedMatchesMax + 1), ({ matches, rows }) =>
    matches > rankedMatchesMax ? read.broad : Effect.succeed(rows)
  )
}
