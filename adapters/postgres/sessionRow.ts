import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { silentSweeps } from "../../core/port/Ledger.ts"
import { atomically } from "./Database.ts"
import { giveBackAll } from "./giveBackAll.ts"
import type { Listing, OpenCalls } from "./openCalls.ts"
import { readOpen } from "./openCalls.ts"

/** The part of a statement that writes the process's row; its three parameters begin at `first`. */
export const listingSql = (first: number): string => `
    insert into session (session_id, version, open) values ($${first}, $${first + 1}, $${first + 2})
    on conflict (session_id) do update set version = excluded.version, open = excluded.open
    where session.version < excluded.version`

export const listingParameters = ({ sessionId, version, open }: Listing): ReadonlyArray<unknown> => [
  sessionId,
  version,
  open
]

/** Writes the row inside an open transaction. */
export const writeListing = (sql: SqlClient, listing: Listing) =>
  sql.unsafe(listingSql(1), listingParameters(listing))

/**
 * Writes the row by itself, without waiting for the disk: an older row, after a crash of the server, says
 * more than is open and nothing less.
 */
export const writeHeartbeat = (sql: SqlClient, calls: OpenCalls) =>
  Effect.suspend(() =>
    sql.unsafe(
      `with commits as materialized (select set_config('synchronous_commit', 'off', true))
      ${listingSql(1).replace("values ($1, $2, $3)", "select $1, $2::bigint, $3 from commits")}`,
      [...listingParameters(calls.list())]
    )
  ).pipe(Effect.onError(() => Effect.sync(calls.unlisted)))

export const removeSession = (sql: SqlClient, sessionId: string) =>
  sql`delete from session where session_id = ${sessionId}`

/** At most this many rows are looked at in a sweep: a process has one. */
const sessionsMax = 1_000

interface Look {
  readonly version: bigint
  readonly times: number
}

/**
 * Gives back what silent processes left. A process is silent while its row does not change from one sweep to
 * the next; no clock is read, so none can be wrong. A sweep that fails begins the count again: then it may be
 * the store that was silent, and not the process.
 */
export const makeSweepSessions = (sql: SqlClient, ownId: string) => {
  let looks = new Map<string, Look>()
  const silent = Effect.map(
    sql<SessionRow>`select session_id, version from session
      where session_id <> ${ownId} limit ${sessionsMax}`,
    (rows) => {
      looks = new Map(
        rows.map(({ session_id, version }) => {
          const before = looks.get(session_id)
          return [session_id, { version, times: before?.version === version ? before.times + 1 : 1 }]
        })
      )
      return rows.filter((row) => (looks.get(row.session_id)?.times ?? 0) >= silentSweeps)
    }
  ).pipe(
    Effect.onError(() =>
      Effect.sync(() => {
        looks = new Map()
      })
    )
  )
  return Effect.fnUntraced(function* (atMs: number) {
    let given = 0
    for (const session of yield* silent) given += yield* giveBackSession(sql, session, atMs)
    return given
  })
}

interface SessionRow {
  readonly session_id: string
  readonly version: bigint
}

/**
 * The row is taken and what it lists is given back in one transaction. Another sweep waits and then finds no
 * row; a process that came back has written another version, or writes its row anew.
 */
const giveBackSession = (sql: SqlClient, { session_id, version }: SessionRow, atMs: number) =>
  atomically(
    Effect.gen(function* () {
      const taken = yield* sql<{ readonly open: string }>`delete from session
        where session_id = ${session_id} and version = ${version} returning open`
      const refunded = yield* giveBackAll(sql, readOpen(taken[0]?.open ?? ""), atMs)
      return refunded.size
    })
  )
