import * as Schema from "effect/Schema"
import type { KeptNotice } from "../../../core/notice/Notice.ts"
import { noticeKinds } from "../../../core/notice/noticeRows.ts"

/** A notice as PostgreSQL sends it, with the organization's name beside it. */
export const NoticeRow = Schema.Struct({
  notice_id: Schema.BigInt,
  organization_id: Schema.NullOr(Schema.String.pipe(Schema.brand("OrganizationId"))),
  organization_name: Schema.NullOr(Schema.String),
  kind: Schema.Literals(noticeKinds),
  period: Schema.String,
  told: Schema.Record(Schema.String, Schema.String),
  at: Schema.Date
})
export type NoticeRow = typeof NoticeRow.Type

export const noticeOf = (row: NoticeRow): KeptNotice => ({
  noticeId: Number(row.notice_id),
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  kind: row.kind,
  period: row.period,
  values: row.told,
  atMs: row.at.getTime()
})
