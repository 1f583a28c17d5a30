import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { noticeKinds } from "../../../core/notice/noticeRows.ts"
import type { DueNoticeEmail } from "../../../core/port/Notices.ts"
import { noticeEmailClaimMs, noticeEmailsMax } from "../../../core/port/Notices.ts"
import { time, timeOrNull } from "../webhook/rows.ts"
import { noticeOf, NoticeRow } from "./noticeRow.ts"
import { staffSql } from "./staff.ts"

/** Ends an email, or has it due again. */
export const settleEmail = (
  sql: SqlClient,
  email: { readonly emailId: number; readonly attempts: number; readonly againAtMs: number | null }
) =>
  email.againAtMs === null
    ? sql`delete from notice_letter where letter_id = ${email.emailId} and attempts = ${email.attempts}`
    : sql`update notice_letter set due_at = ${timeOrNull(email.againAtMs)}
        where letter_id = ${email.emailId} and attempts = ${email.attempts}`

const EmailRow = Schema.Struct({
  ...NoticeRow.fields,
  letter_id: Schema.BigInt,
  attempts: Schema.Number,
  /** Where whoever must hear of it is reached now. */
  address: Schema.String
})

const decodeEmail = Schema.decodeUnknownSync(EmailRow)

/** Takes what is due, and drops what is for somebody who left. */
export const takeEmails = Effect.fnUntraced(function* (sql: SqlClient, nowMs: number) {
  const rows = yield* sql.unsafe<{ readonly letter_id: bigint; readonly address: string | null }>(takeSql, [
    time(nowMs),
    time(nowMs + noticeEmailClaimMs),
    noticeEmailsMax,
    noticeKinds
  ])
  const dropped = rows.filter((row) => row.address === null).map((row) => String(row.letter_id))
  if (dropped.length > 0) yield* sql`delete from notice_letter where letter_id = any(${dropped}::bigint[])`
  return rows.flatMap(
    (row): ReadonlyArray<DueNoticeEmail> => (row.address === null ? [] : [dueEmailOf(decodeEmail(row))])
  )
})

const dueEmailOf = (row: typeof EmailRow.Type): DueNoticeEmail => ({
  emailId: Number(row.letter_id),
  attempts: row.attempts,
  to: row.address,
  notice: noticeOf(row)
})

const takeSql = `with due as (
    select letter_id from notice_letter where due_at <= $1::timestamptz
    order by due_at limit $3 for update skip locked
  ), taken as (
    update notice_letter l set attempts = l.attempts + 1, due_at = $2::timestamptz
    from due where l.letter_id = due.letter_id returning l.*
  )
  select taken.letter_id, taken.attempts, n.*, o.name as organization_name,
    case when n.kind <> all($4) then null
      when n.organization_id is null or taken.person_id is null then taken.email
      else (select staff.email from (${staffSql}) as staff
        where staff.organization_id = n.organization_id and staff.person_id = taken.person_id limit 1)
    end as address
  from taken join notice n using (notice_id) left join organization o using (organization_id)
  order by taken.letter_id`
