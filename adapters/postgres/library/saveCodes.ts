import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CodeDescription, CodeRecord, CodeSystem } from "../../../core/coverage/Code.ts"
import type { IsoDate } from "../../../core/coverage/date.ts"
import { editionText, endedBefore, firstDay } from "../../../core/coverage/edition.ts"
import type { FeeScheduleRow } from "../../../core/coverage/FeeScheduleRow.ts"
import { wordsOf } from "../../../core/coverage/suggest.ts"
import { describeCodes } from "./describe.ts"
import { plainText } from "./plainText.ts"

/** Held while codes are written, so that two imports number the editions of a code one after the other. */
const codesLock = 61

/**
 * Appends an edition of every code whose record differs from its newest one; runs within a transaction. The
 * records are compared as texts with their members in one order.
 */
export const saveCodes = Effect.fnUntraced(function* (
  sql: SqlClient,
  snapshotId: string,
  codes: ReadonlyArray<CodeRecord>
) {
  yield* sql`select pg_advisory_xact_lock(${codesLock})`
  const given = [...new Map(codes.map((record) => [`${record.codeSystem} ${record.code}`, record])).values()]
  const [row] = yield* sql<{ readonly written: number }>`
    with given as (
      select code, code_system, first_day, record, coalesce(string_to_array(nullif(words, ''), ' '), '{}') as words
      from unnest(${given.map((record) => plainText(record.code))}::text[],
        ${given.map((record) => record.codeSystem)}::text[], ${given.map(firstDay)}::text[],
        ${given.map(editionText)}::text[], ${given.map(wordsText)}::text[])
        as g (code, code_system, first_day, record, words)
    ), changed as (
      select g.*, coalesce(c.edition, 0) + 1 as edition
      from given g left join code c on c.code = g.code and c.code_system = g.code_system
      where c.code is null or c.record::text <> g.record
    ), kept as (
      insert into code_edition (code, code_system, edition, snapshot_id, first_day, record)
      select code, code_system, edition, ${snapshotId}, first_day, record::json from changed order by code
    ), newest as (
      insert into code (code, code_system, edition, record, words)
      select code, code_system, edition, record::json, words from changed order by code
      on conflict (code, code_system) do update
        set edition = excluded.edition, record = excluded.record, words = excluded.words
      returning 1
    )
    select count(*)::int4 as written from newest`
  return { written: row?.written ?? 0 }
})

/** Ends the codes of the system that are not listed; runs within a transaction. */
export const retireCodes = Effect.fnUntraced(function* (
  sql: SqlClient,
  input: {
    readonly snapshotId: string
    readonly codeSystem: CodeSystem
    readonly listed: ReadonlySet<string>
    readonly day: IsoDate
  }
) {
  const unlisted = yield* sql<{ readonly record: CodeRecord }>`
    select c.record from code c
    where c.code_system = ${input.codeSystem} and not exists (
      select from unnest(${[...input.listed].map(plainText)}::text[]) as g (code) where g.code = c.code)`
  return yield* saveCodes(
    sql,
    input.snapshotId,
    unlisted.flatMap(({ record }) => endedBefore(record, input.day) ?? [])
  )
})

/** Adds the rows of a fee schedule that its snapshot does not hold yet. */
export const saveFees = (sql: SqlClient, snapshotId: string, fees: ReadonlyArray<FeeScheduleRow>) =>
  Effect.map(
    sql`insert into fee_schedule (snapshot_id, code, modifier, record)
      select ${snapshotId}, code, modifier, record::json
      from unnest(${fees.map(({ code }) => plainText(code))}::text[],
        ${fees.map(({ modifier }) => plainText(modifier))}::text[],
        ${fees.map((row) => JSON.stringify(row))}::text[]) as g (code, modifier, record)
      on conflict do nothing returning 1`,
    (rows) => ({ written: rows.length })
  )

/**
 * Keeps the last description of each code where it differs from the one that is known, and has searches know
 * its words.
 */
export const saveDescriptions = Effect.fnUntraced(function* (
  sql: SqlClient,
  descriptions: ReadonlyArray<CodeDescription>
) {
  const given = [
    ...new Map(descriptions.map((one) => [`${one.codeSystem} ${one.code}`, one] as const)).values()
  ]
  const changed = yield* sql<{ readonly code: string; readonly code_system: string }>`
    insert into code_description as known (code, code_system, description)
      select * from unnest(${given.map(({ code }) => plainText(code))}::text[],
        ${given.map(({ codeSystem }) => codeSystem)}::text[],
        ${given.map(({ description }) => plainText(description))}::text[])
      on conflict (code, code_system) do update set description = excluded.description
        where known.description <> excluded.description
      returning code, code_system`
  yield* describeCodes(sql, changed)
  return { written: changed.length }
})

const wordsText = (record: CodeRecord): string => wordsOf(record.description ?? "").join(" ")
