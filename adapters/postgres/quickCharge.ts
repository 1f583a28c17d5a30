import type { SqlClient } from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { usageStatus } from "../../core/organization/usage.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import type { Listing } from "./openCalls.ts"
import { listingParameters, listingSql } from "./sessionRow.ts"

/**
 * Charges a whole batch in one statement that commits by itself, for every organization where the kernel's
 * answer is plain: no renewal due, and one source covers all its charges of the batch. Answers one decision
 * per charge; undefined where nothing was taken and the kernel must decide (`settleCharges`).
 *
 * The same statement says which calls of this process are charged and not answered (decision 0020).
 *
 * A request id that was charged before is refused by the key of `usage`, and the whole batch with it.
 */
export const quickCharge = (sql: SqlClient, charges: ReadonlyArray<Charge>, listing: Listing) =>
  Effect.map(
    sql.unsafe<PaidRow>(statement, [...parametersOf(charges), ...listingParameters(listing)]),
    (rows) => decisionsOf(charges, rows)
  )

interface PaidRow {
  readonly organization_id: OrganizationId
  /** What was there before the batch was taken. */
  readonly available: bigint
}

// The rows are locked in the order of their ids before any is written, as in `lockAccounts`. `held` sees each
// row as its last owner left it, whatever the statement's snapshot says, so `paid` may trust it.
const statement = `with wanted as materialized (
    select * from unnest($1::text[], $2::int4[], $3::timestamptz[]) as w(organization_id, cost, latest)
  ), held as materialized (
    select organization_id, allowance, purchased, renews_at from account
    where organization_id = any($1::text[]) order by organization_id for update
  ), paid as (
    update account a set
      allowance = a.allowance - case when h.allowance > 0 then w.cost else 0 end,
      purchased = a.purchased - case when h.allowance > 0 then 0 else w.cost end
    from held h join wanted w using (organization_id)
    where a.organization_id = h.organization_id and w.latest < h.renews_at
      and w.cost <= case when h.allowance > 0 then h.allowance else h.purchased end
    returning a.organization_id, a.renews_at, h.allowance + h.purchased as available,
      case when h.allowance > 0 then 'allowance' else 'purchased' end as source
  ), batch as materialized (
    select b.*, p.source as paid_from, p.renews_at
    from unnest($4::text[], $5::text[], $6::int4[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
      $12::timestamptz[]) as b(organization_id, request_id, cost, operation, caller, source, tool, person, at)
    join paid p using (organization_id)
  ), entered as (
    insert into ledger_entry (organization_id, reference, kind, source, amount, renews_at, at)
    select organization_id, request_id, 'charge', paid_from, cost, renews_at, at from batch
  ), used as (
    insert into usage (organization_id, request_id, operation, cost, status, caller, source, tool, person, at)
    select organization_id, request_id, operation, cost, ${usageStatus}, caller, source,
      nullif(tool, ''), nullif(person, ''), at from batch
  ), pending as (
    insert into usage_pending (organization_id, operation, caller, source, tool, calls, credits, errors, at)
    select organization_id, operation, caller, source, tool, 1, cost, 0, at from batch
  ), listed as (${listingSql(13)}
  )
  select organization_id, available from paid`

const parametersOf = (charges: ReadonlyArray<Charge>): ReadonlyArray<unknown> => {
  const wanted = new Map<OrganizationId, { cost: number; latestMs: number }>()
  for (const { organizationId, cost, atMs } of charges) {
    const sum = wanted.get(organizationId)
    if (sum === undefined) wanted.set(organizationId, { cost, latestMs: atMs })
    else {
      sum.cost += cost
      sum.latestMs = Math.max(sum.latestMs, atMs)
    }
  }
  const sums = [...wanted.values()]
  return [
    [...wanted.keys()],
    sums.map(({ cost }) => cost),
    sums.map(({ latestMs }) => new Date(latestMs)),
    charges.map((charge) => charge.organizationId),
    charges.map((charge) => charge.requestId),
    charges.map((charge) => charge.cost),
    charges.map((charge) => charge.operation),
    charges.map((charge) => charge.caller),
    charges.map((charge) => charge.source),
    charges.map((charge) => charge.tool ?? ""),
    charges.map((charge) => charge.person ?? ""),
    charges.map((charge) => new Date(charge.atMs))
  ]
}

const decisionsOf = (
  charges: ReadonlyArray<Charge>,
  rows: ReadonlyArray<PaidRow>
): ReadonlyArray<ChargeDecision | undefined> => {
  const left = new Map(rows.map((row) => [row.organization_id, Number(row.available)]))
  return charges.map(({ organizationId, cost }) => {
    const before = left.get(organizationId)
    if (before === undefined) return undefined
    left.set(organizationId, before - cost)
    return { _tag: "Charged", available: before - cost }
  })
}
