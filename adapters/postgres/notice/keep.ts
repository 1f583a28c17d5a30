import type { SqlClient } from "effect/sql/SqlClient"
import type { Notice } from "../../../core/notice/Notice.ts"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import type { PersonId } from "../../../core/person/Person.ts"
import { time } from "../webhook/rows.ts"
import { staffSql } from "./staff.ts"

/** A notice and whose it is: an organization's or one person's. */
export interface OwnNotice extends Notice {
  readonly organizationId: OrganizationId | null
  readonly personId: PersonId | null
}

/**
 * Keeps notices, with an email for every owner and admin, or to the organization's own address where it has
 * neither. What was told before stays as it is and makes no email.
 */
export const keep = (sql: SqlClient, notices: ReadonlyArray<OwnNotice>, nowMs: number) =>
  sql.unsafe(keepSql, [noticesJson(notices), time(nowMs)])

/** Keeps one person's own notice, with an email to them. */
export const keepPersonal = (sql: SqlClient, notice: OwnNotice & { readonly email: string }, nowMs: number) =>
  sql.unsafe(keepingPersonal, [noticesJson([notice]), time(nowMs), notice.email])

const told = `told as (
    insert into notice (organization_id, person_id, kind, period, told, at)
    select organization_id, person_id, kind, period, told, $2::timestamptz
    from json_to_recordset($1::json)
      as n(organization_id text, person_id text, kind text, period text, told json)
    on conflict do nothing returning notice_id, organization_id, person_id
  )`

const keepSql = `with ${told}, staff as (${staffSql}
  ), written as (
    select told.notice_id, staff.person_id, staff.email from told join staff using (organization_id)
  )
  insert into notice_letter (notice_id, person_id, email, due_at)
  select notice_id, person_id, email, $2::timestamptz from written
  union all
  select told.notice_id, null, o.owner_email, $2::timestamptz from told
  join organization o using (organization_id)
  where o.owner_email is not null and not exists (select from written where notice_id = told.notice_id)`

const keepingPersonal = `with ${told}
  insert into notice_letter (notice_id, person_id, email, due_at)
  select notice_id, person_id, $3, $2::timestamptz from told`

const noticesJson = (notices: ReadonlyArray<OwnNotice>): string =>
  JSON.stringify(
    notices.map(({ organizationId, personId, kind, period, values }) => ({
      organization_id: organizationId,
      person_id: personId,
      kind,
      period,
      told: values
    }))
  )
