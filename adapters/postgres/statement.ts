import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Account } from "../../core/organization/Account.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { renew } from "../../core/organization/renewal.ts"
import type { Statement } from "../../core/organization/statement.ts"
import { statementOf } from "../../core/organization/statement.ts"
import type { AccountRow } from "./accounts.ts"
import { accountOf } from "./accounts.ts"

/** One row by its key, as of the instant. Undefined: no such organization. */
export const readAccount = (sql: SqlClient, { organizationId, nowMs }: Asked) =>
  Effect.map(
    sql<AccountRow>`select * from account where organization_id = ${organizationId}`,
    ([row]): Account | undefined => row && renew(accountOf(row), nowMs).account
  )

/**
 * Sums the entries and reads the account in one statement, and so in one snapshot. Undefined: no such
 * organization.
 */
export const readStatement = (sql: SqlClient, asked: Asked) =>
  Effect.map(
    sql<AccountRow & TallyRow>`select account.*, told.* from account, lateral (
        select coalesce(sum(amount) filter (where kind = 'grant'), 0)::bigint as granted,
          coalesce(sum(amount) filter (where kind = 'charge'), 0)::bigint as charged,
          coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunded,
          coalesce(sum(amount) filter (where kind = 'expire'), 0)::bigint as expired,
          count(*) as entries
        from ledger_entry where organization_id = ${asked.organizationId}
      ) as told where account.organization_id = ${asked.organizationId}`,
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
