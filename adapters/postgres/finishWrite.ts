import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { keptMs } from "../../core/idempotency/record.ts"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import { usageStatus } from "../../core/organization/usage.ts"
import type { Claim } from "../../core/port/Idempotency.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { settleCharges } from "./settleCharges.ts"

/** What a write ends with. */
interface Finish {
  readonly claim: Claim | undefined
  readonly charge: Charge | undefined
  readonly answer: Uint8Array
  /** The caller's clock; null: the server's own. */
  readonly givenMs: number | null
}

/**
 * Ends a write inside its open transaction, in one statement: its record is completed, where it is still
 * this claim's turn, and its account charged, past the group commit, whose own COMMIT would stand when
 * this one falls. Both rows stay locked until the transaction ends, and every flush of charges waits for
 * it: so it comes last and soon commits. As in `quickCharge`, what is not plain is left to the kernel.
 */
export const finishWrite = Effect.fnUntraced(function* (sql: SqlClient, finish: Finish) {
  const { claim, charge } = finish
  const [row] = yield* sql.unsafe<FinishedRow>(statement, parametersOf(finish))
  const owned = claim === undefined || row?.completed === true
  if (charge === undefined || !owned) return { owned, decision: undefined }
  const available = row?.available ?? undefined
  const decision: ChargeDecision | undefined =
    available === undefined
      ? (yield* settleCharges(sql, [charge]))[0]
      : { _tag: "Charged", available: Number(available) }
  return { owned, decision }
})

/**
 * The same for a write that has nothing else to commit: the statement commits by itself. What is not plain is
 * refused as a division by zero, and nothing of it stays. Answers what is left.
 */
export const finishAlone = (sql: SqlClient, finish: Finish) =>
  Effect.map(sql.unsafe<FinishedRow>(aloneStatement, parametersOf(finish)), ([row]) =>
    row === undefined || row.available === null ? undefined : Number(row.available)
  )

interface FinishedRow {
  readonly completed: boolean
  /** What is left; null: nothing was taken. */
  readonly available: bigint | null
}

// Unlike its fellows (recordClock.ts) it leaves the COMMIT it is part of to wait for the disk.
const statement = `with completed as (
    update idempotency set state = 'done', answer = $4::bytea,
      until = coalesce(to_timestamp($1::float8 / 1000), date_trunc('milliseconds', clock_timestamp()))
        + interval '${keptMs} milliseconds'
    where record_id = $2::text and fence = $3::bigint and state = 'running' returning 1
  ), held as materialized (
    select organization_id, allowance, purchased, renews_at from account
    where organization_id = $5::text for update
  ), paid as (
    update account a set
      allowance = a.allowance - case when h.allowance > 0 then $6::int4 else 0 end,
      purchased = a.purchased - case when h.allowance > 0 then 0 else $6::int4 end
    from held h where a.organization_id = h.organization_id and $7::timestamptz < h.renews_at
      and $6::int4 <= case when h.allowance > 0 then h.allowance else h.purchased end
    returning a.organization_id, a.renews_at, a.allowance + a.purchased as available,
      case when h.allowance > 0 then 'allowance' else 'purchased' end as source
  ), used as (
    insert into usage
      (organization_id, request_id, operation, cost, status, caller, source, tool, person, at, paid_from, renews_at)
    select organization_id, $8::text, $9::text, $6::int4, ${usageStatus}, $10::text, $11::text, $12::text,
      $13::text, $7::timestamptz, source, renews_at from paid
  )
  select exists (select from completed) as completed, (select available from paid) as available`

const aloneStatement = `${statement}, 1 / (case when ($2::text is null or exists (select from completed))
    and ($5::text is null or exists (select from paid)) then 1 else 0 end)`

const parametersOf = ({ claim, charge, answer, givenMs }: Finish): ReadonlyArray<unknown> => [
  givenMs,
  claim?.recordId ?? null,
  claim?.fence ?? null,
  answer,
  charge?.organizationId ?? null,
  charge?.cost ?? null,
  charge === undefined ? null : new Date(charge.atMs),
  charge?.requestId ?? null,
  charge?.operation ?? null,
  charge?.caller ?? null,
  charge?.source ?? null,
  charge?.tool ?? null,
  charge?.person ?? null
]
