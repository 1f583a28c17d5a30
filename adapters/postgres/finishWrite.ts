import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { keptMs } from "../../core/idempotency/record.ts"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { Claim } from "../../core/port/Idempotency.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { parametersOfOne, payingForOne } from "./chargeFast.ts"
import { chargeSlow } from "./chargeSlow.ts"

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
 * it: so it comes last and soon commits. As in `chargeFast`, what is not plain is left to the kernel.
 */
export const finishWrite = Effect.fnUntraced(function* (sql: SqlClient, finish: Finish) {
  const { claim, charge } = finish
  const [row] = yield* sql.unsafe<FinishedRow>(statement, parametersOf(finish))
  const owned = claim === undefined || row?.completed === true
  if (charge === undefined || !owned) return { owned, decision: undefined }
  const available = row?.available ?? undefined
  const decision: ChargeDecision | undefined =
    available === undefined
      ? (yield* chargeSlow(sql, [charge]))[0]
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
    update idempotency set state = 'done', answer = $10::bytea,
      until = coalesce(to_timestamp($11::float8 / 1000), date_trunc('milliseconds', clock_timestamp()))
        + interval '${keptMs} milliseconds'
    where record_id = $12::text and fence = $13::bigint and state = 'running' returning 1
  ), ${payingForOne}
  select exists (select from completed) as completed, (select available - $2::int4 from paid) as available`

const aloneStatement = `${statement}, 1 / (case when ($12::text is null or exists (select from completed))
    and ($1::text is null or exists (select from paid)) then 1 else 0 end)`

const parametersOf = ({ claim, charge, answer, givenMs }: Finish): ReadonlyArray<unknown> => [
  ...parametersOfOne(charge),
  answer,
  givenMs,
  claim?.recordId ?? null,
  claim?.fence ?? null
]
