import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { ExchangeResult, OAuthRecord, RecordModel, RecordName } from "../../../core/port/OAuthRecords.ts"
import {
  forgottenRecordsMax,
  OAuthRecords,
  OAuthRecordsUnavailable
} from "../../../core/port/OAuthRecords.ts"
import { isWithinRotationWindow } from "../../../core/oauth/rotation.ts"
import { atomically, unavailable } from "../Database.ts"
import type { GrantRow } from "./rows.ts"
import { grantOf, time } from "./rows.ts"

/** The records of the authorization server in PostgreSQL, each beneath its grant. */
export const layer = Layer.effect(
  OAuthRecords,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const away = unavailable((fault) => new OAuthRecordsUnavailable({ fault }))
    const inTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.provideService(away(atomically(effect)), SqlClient.SqlClient, sql)
    return OAuthRecords.of({
      save: (record) => inTransaction(save(sql, record)),
      find: (name) => away(find(sql, name)),
      exchange: (input) => inTransaction(exchange(sql, input)),
      remove: ({ hash, model }) =>
        away(Effect.asVoid(sql`delete from oauth_record where model = ${model} and hash = ${hash}`)),
      forget: (untilMs) => away(forget(sql, untilMs))
    })
  })
)

interface RecordRow {
  readonly model: RecordModel
  readonly hash: string
  readonly grant_id: string | null
  readonly sealed: Uint8Array
  readonly expires_at: Date
  readonly spent_at: Date | null
}

const find = (sql: SqlClient.SqlClient, { hash, model }: RecordName) =>
  Effect.map(
    sql<RecordRow>`select * from oauth_record where model = ${model} and hash = ${hash}`,
    ([row]) => row && recordOf(row)
  )

/**
 * The grant is locked before its records, here and in `exchange`, so that its end never meets them in a
 * circle.
 */
const save = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, record: OAuthRecord) {
  if (record.grantId !== null) {
    const open = yield* sql`select 1 from oauth_grant where grant_id = ${record.grantId} for key share`
    if (open.length === 0) return false
  }
  yield* insert(sql, [record])
  return true
})

const exchange = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  input: {
    readonly spent: RecordName
    readonly atMs: number
    readonly records: ReadonlyArray<OAuthRecord>
  }
): Effect.fn.Return<ExchangeResult, SqlError> {
  const { hash, model } = input.spent
  const [row] = yield* sql<GrantRow>`select g.* from oauth_grant g join oauth_record r using (grant_id)
    where r.model = ${model} and r.hash = ${hash} for update of g`
  if (row === undefined) return { _tag: "Ended" }
  const spent = yield* sql`update oauth_record set spent_at = ${time(input.atMs)}
    where model = ${model} and hash = ${hash} and spent_at is null returning 1`
  if (spent.length === 0) {
    const before = yield* find(sql, input.spent)
    if (before !== undefined && isWithinRotationWindow(before, input.atMs)) return { _tag: "Repeated" }
    yield* sql`delete from oauth_grant where grant_id = ${row.grant_id}`
    return { _tag: "Reused", grant: grantOf(row) }
  }
  yield* insert(sql, input.records)
  return { _tag: "Exchanged" }
})

const insert = (sql: SqlClient.SqlClient, records: ReadonlyArray<OAuthRecord>) =>
  Effect.forEach(
    records,
    (record) => sql`insert into oauth_record (model, hash, grant_id, sealed, expires_at, spent_at)
      values (${record.model}, ${record.hash}, ${record.grantId}, ${record.sealed}, ${time(record.expiresAtMs)},
        ${record.spentAtMs === null ? null : time(record.spentAtMs)})
      on conflict (model, hash) do update set grant_id = excluded.grant_id, sealed = excluded.sealed,
        expires_at = excluded.expires_at, spent_at = excluded.spent_at`,
    { discard: true }
  )

const forget = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, untilMs: number) {
  const gone = yield* sql`delete from oauth_record where (model, hash) in (
    select model, hash from oauth_record where expires_at <= ${time(untilMs)}
    order by expires_at limit ${forgottenRecordsMax} for update skip locked
  ) returning 1`
  yield* sql`delete from oauth_grant where grant_id in (
    select grant_id from oauth_grant where ends_at <= ${time(untilMs)}
    order by ends_at limit ${forgottenRecordsMax} for update skip locked
  )`
  return gone.length
})

const recordOf = (row: RecordRow): OAuthRecord => ({
  model: row.model,
  hash: row.hash,
  grantId: row.grant_id,
  sealed: row.sealed,
  expiresAtMs: row.expires_at.getTime(),
  spentAtMs: row.spent_at === null ? null : row.spent_at.getTime()
})
