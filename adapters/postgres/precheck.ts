import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { charge as chargeAccount } from "../../core/organization/credit.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import type { WriteRejected, Write } from "../../core/port/Transactions.ts"
import type { AccountRow } from "./accounts.ts"
import { accountOf } from "./accounts.ts"

/**
 * Why a write cannot be, as far as one read without a lock can tell: its turn has passed, or it cannot be
 * paid.
 */
export const precheck = (
  sql: SqlClient,
  { claim, charge }: Pick<Write<never, never>, "claim" | "charge">
) => {
  if (claim === undefined && charge === undefined) return Effect.undefined
  const parameters = [claim?.recordId ?? null, claim?.fence ?? null, charge?.organizationId ?? null]
  return Effect.map(sql.unsafe<SeenRow>(precheckSql, parameters), ([row]) => {
    if (claim !== undefined && row?.owned !== true) return { _tag: "Stale" } as const
    return charge && exhausted(charge, row)
  })
}

type SeenRow = { readonly owned: boolean } & (AccountRow | { readonly [Name in keyof AccountRow]: null })

const precheckSql = `select account.*,
    exists (select from idempotency
      where record_id = $1 and fence = $2::bigint and state = 'running') as owned
  from (values (1)) as once left join account on organization_id = $3`

const exhausted = (charge: Charge, row: SeenRow | undefined): WriteRejected | undefined => {
  if (row === undefined || row.organization_id === null) {
    return { _tag: "Exhausted", required: charge.cost, available: 0 }
  }
  const asked = { requestId: charge.requestId, cost: charge.cost, nowMs: charge.atMs, earlier: [] }
  const { decision } = chargeAccount(accountOf(row), asked)
  return decision._tag === "Exhausted" ? decision : undefined
}
