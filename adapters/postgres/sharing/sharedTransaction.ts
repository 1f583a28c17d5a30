import type { PgConnection, Result as PgResult } from "@effect/sql-pg/PgConnection"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { PgPool } from "@effect/sql-pg/PgPool"
import { classifySent } from "../fault.ts"
import type { Finish } from "../finishWrite.ts"
import { finishPlainly } from "../finishWrite.ts"
import type { Ending, Member } from "./Member.ts"
import { sharedConnection } from "./sharedConnection.ts"

/** Longer than any statement may take, so that only a connection that hangs is given up. */
const patience = "12 seconds"

/**
 * Runs the writes of several subjects as one transaction: their statements go out together, and one COMMIT
 * serves all. It commits when every one of them came to an answer that is to be kept and was paid for in the
 * plain way; anything else, and nothing of it stays and each runs again alone, where what it is is told
 * exactly. So a member never sees, or pays for, what another did.
 */
export const sharedTransaction =
  (sql: SqlClient, pipelines: PgPool) =>
  (members: ReadonlyArray<Member>): Effect.Effect<void> => {
    const transaction: Transaction = { phase: "open", available: [] }
    const whole = pipelines.use((pg) =>
      Effect.onInterrupt(carried(sql, pg, members, transaction), () => pipelines.invalidate(pg))
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkDetach(Effect.result(whole))
      const ended = yield* Effect.timeoutOption(Fiber.await(fiber), patience)
      const ending = ended._tag === "Some" && Exit.isSuccess(ended.value) ? ended.value.value : undefined
      if (ending === undefined) {
        if (transaction.phase === "open") transaction.phase = "left"
        yield* Effect.forkDetach(Fiber.interrupt(fiber))
      }
      const endingOf = (nth: number): Ending => {
        const available = transaction.available[nth]
        if (transaction.phase === "committed") return { _tag: "Committed", available }
        if (transaction.phase !== "committing") return alone
        const sent = ending !== undefined && Result.isFailure(ending) ? ending.failure : undefined
        const fault = sent === undefined ? "unknown_outcome" : classifySent(sent)
        // What COMMIT refused was rolled back.
        return fault === "refused" ? alone : { _tag: "Failed", fault, available }
      }
      members.forEach(({ ended: told }, nth) => Deferred.doneUnsafe(told, Exit.succeed(endingOf(nth))))
    })
  }

interface Transaction {
  /** `left`: given up by who waited; it must not commit any more. */
  phase: "open" | "left" | "committing" | "committed"
  /** What each member's account holds after its charge. */
  available: ReadonlyArray<number | undefined>
}

const alone: Ending = { _tag: "Alone", done: () => {} }

const carried = Effect.fnUntraced(function* (
  sql: SqlClient,
  pg: PgConnection,
  members: ReadonlyArray<Member>,
  transaction: Transaction
): Effect.fn.Return<void, SqlError> {
  const connection = sharedConnection(pg)
  // Not waited for: it goes out with the first statements.
  const begun = yield* Effect.forkChild(Effect.result(connection.execute("BEGIN", [], undefined)), {
    startImmediately: true
  })
  for (const member of members) yield* member.begin(sharedConnection(pg))
  const finishes = yield* Effect.forEach(members, ({ worked }) => Deferred.await(worked))
  const isBegun = Result.isSuccess(yield* Fiber.join(begun))
  const available = isBegun ? yield* paidPlainly(sql, connection, finishes) : undefined
  if (available === undefined || transaction.phase === "left") {
    return yield* Effect.catch(
      Effect.asVoid(connection.execute("ROLLBACK", [], undefined)),
      () => Effect.interrupt
    )
  }
  transaction.phase = "committing"
  transaction.available = available
  const { command } = (yield* connection.executeRaw("COMMIT", [])) as PgResult
  // PostgreSQL answers so where the transaction had failed.
  transaction.phase = command === "COMMIT" ? "committed" : "left"
})

/** All finishes at once; undefined where one of them is not plain. */
const paidPlainly = Effect.fnUntraced(function* (
  sql: SqlClient,
  connection: Connection,
  finishes: ReadonlyArray<Finish | undefined>
) {
  if (finishes.includes(undefined)) return undefined
  const finished = yield* Effect.result(
    Effect.forEach(
      finishes,
      (finish) => (finish === undefined ? Effect.undefined : finishPlainly(sql, finish)),
      {
        concurrency: "unbounded"
      }
    ).pipe(Effect.provideService(sql.transactionService, [connection, 0]))
  )
  if (Result.isFailure(finished)) return undefined
  const isPlain = finished.success.every(
    (each, nth) =>
      each?.owned === true && (each.available !== undefined || finishes[nth]?.charge === undefined)
  )
  return isPlain ? finished.success.map((each) => each?.available) : undefined
})
