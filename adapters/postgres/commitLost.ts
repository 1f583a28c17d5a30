import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Claim } from "../../core/port/Idempotency.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import type { Write } from "../../core/port/Transactions.ts"
import { TransactionsUnavailable } from "../../core/port/Transactions.ts"
import { unavailable } from "./fault.ts"
import { readAccount } from "./statement.ts"

export const transactionFailed = (fault: StoreFault): TransactionsUnavailable =>
  new TransactionsUnavailable({ fault })

/**
 * A write whose transaction met this fault: what it had reached when its COMMIT was lost and its record, or
 * without one its charge, says that it is there; else the fault.
 */
export const commitLost = Effect.fnUntraced(function* <Written>(
  sql: SqlClient,
  write: Pick<Write<never, never>, "claim" | "charge">,
  fault: StoreFault,
  reached: Written | undefined
): Effect.fn.Return<Written, TransactionsUnavailable> {
  const found = fault === "unknown_outcome" && (yield* wasCommitted(sql, write))
  return found && reached !== undefined ? reached : yield* transactionFailed(fault)
})

/** What an account holds, for the answer to a charge whose own was lost. */
export const leftTo = (sql: SqlClient, { organizationId, atMs }: Charge) =>
  Effect.map(
    unavailable(transactionFailed)(readAccount(sql, { organizationId, nowMs: atMs })),
    (account) => (account?.allowance ?? 0) + (account?.purchased ?? 0)
  )

/** The first connection asked may be one that went with the server, so there is a second attempt. */
const askedMax = 2

/**
 * A COMMIT that is still under way holds its record's lock, and its account's: it is waited for, but no
 * longer than a caller would.
 */
const askedWait = "1 second"

const wasCommitted = (
  sql: SqlClient,
  { claim, charge }: Pick<Write<never, never>, "claim" | "charge">
): Effect.Effect<boolean> => {
  const asked = claim === undefined ? charge && isCharged(sql, charge) : isCompleted(sql, claim)
  return asked === undefined
    ? Effect.succeed(false)
    : unavailable(transactionFailed)(asked).pipe(
        Effect.retry({ times: askedMax - 1 }),
        Effect.timeoutOrElse({ duration: askedWait, orElse: () => Effect.succeed(false) }),
        Effect.orElseSucceed(() => false)
      )
}

const isCompleted = (sql: SqlClient, { recordId, fence }: Claim) =>
  Effect.map(
    sql<{ readonly state: string }>`select state from idempotency
      where record_id = ${recordId} and fence = ${fence} for share`,
    ([row]) => row?.state === "done"
  )

/** What was charged is seen by a statement that begins when the account's lock was had. */
const isCharged = (sql: SqlClient, { organizationId, requestId }: Charge) =>
  Effect.andThen(
    sql`select 1 from account where organization_id = ${organizationId} for share`,
    Effect.map(
      sql`select 1 from usage
        where request_id = ${requestId} and organization_id = ${organizationId}`,
      (rows) => rows.length > 0
    )
  )
