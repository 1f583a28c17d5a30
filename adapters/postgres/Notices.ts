import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { highest } from "../../core/notice/due.ts"
import { noticeKinds } from "../../core/notice/noticeRows.ts"
import { deviceKnownMs, judgeSignIn, signInNotice } from "../../core/notice/signIn.ts"
import {
  forgottenNoticesMax,
  Notices,
  noticesKeptMs,
  NoticesUnavailable,
  shownMax,
  shownMs
} from "../../core/port/Notices.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { atomically, unavailable } from "./Database.ts"
import { settleEmail, takeEmails } from "./notice/emails.ts"
import { keepPersonal } from "./notice/keep.ts"
import type { NoticeRow } from "./notice/noticeRow.ts"
import { noticeOf } from "./notice/noticeRow.ts"
import { observe } from "./notice/observe.ts"
import { time } from "./webhook/rows.ts"

/** Notices in PostgreSQL. */
export const layer = Layer.effect(
  Notices,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const inTransaction = <A>(effect: Effect.Effect<A, SqlError>) =>
      Effect.provideService(unavailable(failed)(atomically(effect)), SqlClient.SqlClient, sql)
    return Notices.of({
      observe: (nowMs) => inTransaction(observe(sql, nowMs)),
      signedIn: (signIn) => inTransaction(signedIn(sql, signIn)),
      list: (reader) => unavailable(failed)(list(sql, reader)),
      dismiss: ({ noticeId, organizationId, personId }) =>
        unavailable(failed)(
          Effect.map(
            sql`with found as (
                select notice_id from notice where notice_id = ${noticeId}
                  and (organization_id = ${organizationId} or person_id = ${personId})
              ), hidden as (
                insert into notice_dismissal (notice_id, person_id)
                select notice_id, ${personId} from found on conflict do nothing
              ) select from found`,
            (rows) => rows.length > 0
          )
        ),
      forget: (nowMs) =>
        unavailable(failed)(
          Effect.map(
            sql`delete from notice where notice_id in (
                select notice_id from notice n where at < ${time(nowMs - noticesKeptMs)}
                  and not exists (select from notice_letter l where l.notice_id = n.notice_id)
                limit ${forgottenNoticesMax} for update skip locked
              ) returning notice_id`,
            (rows) => rows.length
          )
        ),
      takeEmails: (nowMs) => inTransaction(takeEmails(sql, nowMs)),
      settleEmail: (email) => Effect.asVoid(unavailable(failed)(settleEmail(sql, email)))
    })
  })
)

const failed = (fault: StoreFault): NoticesUnavailable => new NoticesUnavailable({ fault })

type SignIn = Parameters<Notices["Service"]["signedIn"]>[0]
type Reader = Parameters<Notices["Service"]["list"]>[0]

/** A person's first device has no row to lock, so their sign-ins take turns at a lock of their id. */
const signedIn = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, signIn: SignIn) {
  const { device, nowMs } = signIn
  const { email, personId } = signIn.person
  yield* sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${personId}`}, 0))`
  const rows = yield* sql<DeviceRow>`select device, seen_at from person_device where person_id = ${personId}`
  const seen = rows.map((row) => ({ device: row.device, seenAtMs: row.seen_at.getTime() }))
  const judgement = judgeSignIn(seen, signIn)
  yield* sql`delete from person_device
    where person_id = ${personId} and seen_at <= ${time(nowMs - deviceKnownMs)} and device <> ${device}`
  yield* sql`insert into person_device (person_id, device, seen_at) values (${personId}, ${device}, ${time(nowMs)})
    on conflict (person_id, device) do update set seen_at = excluded.seen_at`
  if (judgement === "new") {
    yield* keepPersonal(sql, { ...signInNotice(signIn), organizationId: null, personId, email }, nowMs)
  }
  return judgement
})

interface DeviceRow {
  readonly device: string
  readonly seen_at: Date
}

/** So many of the newest are read before the lower rungs and the dismissed ones are left out. */
const readMax = 200

const list = (sql: SqlClient.SqlClient, { organizationId, personId, nowMs }: Reader) =>
  Effect.map(
    sql<NoticeRow & { readonly dismissed: boolean }>`select n.*, o.name as organization_name,
        exists (select from notice_dismissal d where d.notice_id = n.notice_id and d.person_id = ${personId})
          as dismissed
      from (
        (select * from notice where organization_id = ${organizationId} and at > ${time(nowMs - shownMs)}
          order by notice_id desc limit ${readMax})
        union all
        (select * from notice where person_id = ${personId} and at > ${time(nowMs - shownMs)}
          order by notice_id desc limit ${readMax})
      ) as n left join organization o using (organization_id)
      where n.kind = any(${noticeKinds}) order by n.notice_id desc`,
    (rows) => {
      const dismissed = new Set(rows.filter((row) => row.dismissed).map((row) => Number(row.notice_id)))
      return highest(rows.map(noticeOf))
        .filter(({ noticeId }) => !dismissed.has(noticeId))
        .slice(0, shownMax)
    }
  )
