import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { keptMs } from "../../core/idempotency/record.ts"
import type { Claim } from "../../core/port/Idempotency.ts"

/**
 * Completes a record inside the open transaction; false: it is not this claim's turn any more. The condition
 * is read under the row's lock, so of two owners one completes, whatever each had seen before.
 */
export const completeRecord = (
  sql: SqlClient,
  givenMs: number | null,
  owner: Claim & { readonly answer: Uint8Array }
) =>
  Effect.map(
    sql.unsafe(completing, [givenMs, owner.recordId, owner.fence, owner.answer]),
    (rows) => rows.length > 0
  )

/** Whether the claim was completed, once whoever is completing it has ended. */
export const isCompleted = (sql: SqlClient, claim: Claim) =>
  Effect.map(
    sql<{ readonly state: string }>`select state from idempotency
      where record_id = ${claim.recordId} and fence = ${claim.fence} for share`,
    ([row]) => row?.state === "done"
  )

// Unlike its fellows (recordClock.ts) it leaves the COMMIT it is part of to wait for the disk.
const completing = `update idempotency set state = 'done', answer = $4,
    until = coalesce(to_timestamp($1::float8 / 1000), date_trunc('milliseconds', clock_timestamp()))
      + interval '${keptMs} milliseconds'
  where record_id = $2 and fence = $3 and state = 'running' returning 1`
