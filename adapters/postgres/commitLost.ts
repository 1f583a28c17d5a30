import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Claim } from "../../core/port/Idempotency.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import { TransactionsUnavailable } from "../../core/port/Transactions.ts"
import { unavailable } from "./fault.ts"

export const failed = (fault: StoreFault): TransactionsUnavailable => new TransactionsUnavailable({ fault })

/**
 * A write whose transaction met this fault: what it had reached when its COMMIT was lost and its record says
 * that it is there, else the fault.
 */
export const commitLost = Effect.fnUntraced(function* <Written>(
  sql: SqlClient,
  claim: Claim | undefined,
  fault: StoreFault,
  reached: Written | undefined
): Effect.fn.Return<Written, TransactionsUnavailable> {
  const found = fault === "unknown_outcome" && claim !== undefined && (yield* wasCommitted(sql, claim))
  return found && reached !== undefined ? reached : yield* failed(fault)
})

/** The first connection asked may be one that went with the server, so there is a second attempt. */
const askedMax = 2

/**
 * A COMMIT that is still under way holds its record's lock: it is waited for, but no longer than a caller
 * would.
 */
const askedWait = "1 second"

const wasCommitted = (sql: SqlClient, claim: Claim): Effect.Effect<boolean> =>
  unavailable(failed)(isCompleted(sql, claim)).pipe(
    Effect.retry({ times: askedMax - 1 }),
    Effect.timeoutOrElse({ duration: askedWait, orElse: () => Effect.succeed(false) }),
    Effect.orElseSucceed(() => false)
  )

const isCompleted = (sql: SqlClient, { recordId, fence }: Claim) =>
  Effect.map(
    sql<{ readonly state: string }>`select state from idempotency
      where record_id = ${recordId} and fence = ${fence} for share`,
    ([row]) => row?.state === "done"
  )
