import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Account } from "../../core/organization/Account.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { renew } from "../../core/organization/renewal.ts"
import type { Statement } from "../../core/organization/statement.ts"
import { statementOf } from "../../core/organization/statement.ts"
import type { AccountRow } from "./accounts.ts"
import { accountOf } from "./accounts.ts"
import { usageTail } from "./rollUp.ts"

/** One row by its key, as of the instant. Undefined: no such organization. */
export const readAccount = (sql: SqlClient, { organizationId, nowMs }: Asked) =>
  Effect.map(
    sql<AccountRow>`select * from account where organization_id = ${organizationId}`,
    ([row]): Account | undefined => row && renew(accountOf(row), nowMs).account
  )

/**
 * Sums the entries and reads the account in one statement, and so in one snapshot: charges from the usage by
 * day and the rows not rolled up into it, all else from `credit_move`. A charge is one entry; those in
 * `credit_move` have as many as sources paid for them. Undefined: no such organization.
 */
export const readStatement = (sql: SqlClient, asked: Asked) =>
  Effect.map(
    sql.unsafe<AccountRow & TallyRow>(
      `select account.*, moved.*, used.charged, moves - moved_charges + used.calls as entries from account,
      lateral (
        select coalesce(sum(amount) filter (where kind = 'grant'), 0)::bigint as granted,
          coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunded,
          coalesce(sum(amount) filter (where kind = 'expire'), 0)::bigint as expired,
          count(*) as moves, count(distinct reference) filter (where kind = 'charge') as moved_charges
        from credit_move where organization_id = $1
      ) as moved,
      lateral (
        select coalesce(sum(charged), 0)::bigint as charged, coalesce(sum(calls), 0)::bigint as calls from (
          select charged, calls from usage_day where organization_id = $1
          union all
          select cost, 1 from ${usageTail} where organization_id = $1
        ) as all_usage
      ) as used where account.organization_id = $1`,
      [asked.organizationId]
    ),
    ([row]): Statement | undefined =>
      row && statementOf({ account: accountOf(row), written: tallyOf(row), nowMs: asked.nowMs })
  )

interface Asked {
  readonly organizationId: OrganizationId
  readonly nowMs: number
}

interface TallyRow {
  readonly granted: bigint
  readonly charged: bigint
  readonly refunded: bigint
  readonly expired: bigint
  readonly entries: bigint
}

const tallyOf = (row: TallyRow) => ({
  granted: Number(row.granted),
  charged: Number(row.charged),
  refunded: Number(row.refunded),
  expired: Number(row.expired),
  entries: Number(row.entries)
})
