import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { timePart } from "../../core/id/timeId.ts"
import { renewalAfter } from "../../core/organization/renewal.ts"
import { atomically } from "./Database.ts"

/**
 * This month and the two after it: a server that is not restarted for weeks still writes into a month of its
 * own.
 */
export const monthsAhead = 3

/** Held while partitions are made, so that processes starting together do not make the same one twice. */
const partitionLock = 61

/**
 * Makes the monthly partitions of the ledger and of usage, and answers how many were new. Request ids begin
 * with their time, so a month is a range of ids. Rows of a month that has no partition go to the `…_rest`
 * table and are as good there; a month that already has rows in it is left there, since moving them would
 * rewrite the ledger.
 *
 * Those of `credit_move` keep the name that the ledger's had: a process of the version before 0.2 then finds
 * its month made.
 */
export const ensurePartitions = Effect.fn("postgres.ensurePartitions")(function* (nowMs: number) {
  const months = Array.from({ length: monthsAhead }).reduce<ReadonlyArray<number>>(
    (starts) => [...starts, renewalAfter(starts.at(-1) ?? nowMs)],
    [monthBegan(nowMs)]
  )
  let made = 0
  for (const [table, prefix] of [
    ["credit_move", "ledger_entry"],
    ["usage", "usage"]
  ] as const) {
    for (const [index, endMs] of months.slice(1).entries()) {
      made += yield* ensure({ table, prefix, beginMs: months[index] ?? nowMs, endMs })
    }
  }
  return made
})

const monthBegan = (nowMs: number): number =>
  DateTime.toEpochMillis(DateTime.startOf(DateTime.makeUnsafe(nowMs), "month"))

const hasRows = (error: SqlError): boolean => error.reason._tag === "ConstraintError"

const ensure = Effect.fnUntraced(function* ({ table, prefix, beginMs, endMs }: Month) {
  const sql = yield* SqlClient.SqlClient
  const month = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(beginMs)).slice(0, 7).replace("-", "_")
  const name = `${prefix}_${month}`
  return yield* atomically(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(${partitionLock})`
      const found = yield* sql<{ readonly there: boolean }>`select to_regclass(${name}) is not null as there`
      if (found[0]?.there === true) return 0
      const range = `from ('req_${timePart(beginMs)}') to ('req_${timePart(endMs)}')`
      const create = sql.unsafe(`create table ${name} partition of ${table} for values ${range}`).unprepared
      return yield* Effect.as(sql.withTransaction(create), 1).pipe(
        Effect.catchIf(hasRows, () => Effect.succeed(0))
      )
    })
  )
})

interface Month {
  readonly table: string
  /** How the names of the table's partitions begin. */
  readonly prefix: string
  readonly beginMs: number
  readonly endMs: number
}
