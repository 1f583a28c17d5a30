import type { SqlClient } from "effect/sql/SqlClient"
import { usageStatus } from "../../core/organization/usage.ts"
import type { Ended } from "../../core/port/Ledger.ts"

/**
 * Writes how calls ended into their usage rows, and what that changes of the summary. Only a row that still
 * says what it was written with is corrected, so that it happens once however often it is tried. As in
 * `countOf`: an error is 400 or above, and a 5xx was given back.
 */
export const correctUsage = (sql: SqlClient, calls: ReadonlyArray<Ended>) =>
  sql`with ended as (
      select * from unnest(${calls.map(({ organizationId }) => organizationId)}::text[],
        ${calls.map(({ requestId }) => requestId)}::text[],
        ${calls.map(({ status }) => status)}::int4[]) as e(organization_id, request_id, status)
    ), corrected as (
      update usage u set status = e.status from ended e
      where u.organization_id = e.organization_id and u.request_id = e.request_id
        and u.status = ${usageStatus} and e.status <> ${usageStatus}
      returning u.organization_id, u.operation, u.caller, u.source, u.tool, u.cost, u.status, u.at
    )
    insert into usage_pending (organization_id, operation, caller, source, tool, calls, credits, errors, at)
    select organization_id, operation, caller, source, coalesce(tool, ''), 0,
      case when status >= 500 then -cost else 0 end, 1, at
    from corrected where status >= 400`
