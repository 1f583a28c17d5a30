import type { KeptNotice, NoticeValues } from "../../../core/notice/Notice.ts"
import type { NoticeKind } from "../../../core/notice/noticeRows.ts"
import type { OrganizationId } from "../../../core/organization/Organization.ts"

/** A notice as PostgreSQL sends it, with the organization's name beside it. */
export interface NoticeRow {
  readonly notice_id: bigint
  readonly organization_id: OrganizationId | null
  readonly organization_name: string | null
  readonly kind: NoticeKind
  readonly period: string
  readonly told: NoticeValues
  readonly at: Date
}

export const noticeOf = (row: NoticeRow): KeptNotice => ({
  noticeId: Number(row.notice_id),
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  kind: row.kind,
  period: row.period,
  values: row.told,
  atMs: row.at.getTime()
})
