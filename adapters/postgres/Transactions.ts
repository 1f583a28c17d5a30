import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import type { Write, Written } from "../../core/port/Transactions.ts"
import type { TransactionsUnavailable } from "../../core/port/Transactions.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { commitLost, failed } from "./commitLost.ts"
import { atomically, Pipelines, pipelinesMax, unavailable } from "./Database.ts"
import { finishWrite } from "./finishWrite.ts"
import { foresee } from "./foresee.ts"
import type { RecordClock } from "./recordClock.ts"
import { joinLane } from "./sharing/joinLane.ts"
import { makeLanes } from "./sharing/lanes.ts"
import { sharedTransaction } from "./sharing/sharedTransaction.ts"

/**
 * Transactions of PostgreSQL's pool: what a write's work does through the pool's client joins them by
 * itself. While others run, what arrives gathers and shares one (sharing/).
 */
export const layer = (options: { readonly clock: RecordClock }) =>
  Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const nowMs = options.clock === "caller" ? Clock.currentTimeMillis : Effect.succeed(null)
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const lanes = makeLanes(pipelinesMax, sharedTransaction(sql, yield* Pipelines), run)
      // The compiler cannot see that what needs R and the client needs R once it has the client.
      const write = <Value, E, R>(write: Write<Value, E, R>) =>
        Effect.flatMap(nowMs, (givenMs) => {
          const byItself = settled(sql, write, perform(sql, givenMs, write))
          // What costs nothing does not say whose it is.
          return write.charge === undefined
            ? byItself
            : joinLane(sql, lanes, { ...write, charge: write.charge, givenMs, byItself })
        }).pipe(Effect.provideService(SqlClient.SqlClient, sql)) as Effect.Effect<
          Written<Value>,
          E | TransactionsUnavailable,
          R
        >
      return Transactions.of({ write, foresee: (write) => unavailable(failed)(foresee(sql, write)) })
    })
  )

/** Ends a transaction without a COMMIT, and says what its write came to. */
interface RolledBack<Value, E> {
  readonly _tag: "RolledBack"
  readonly exit: Exit.Exit<Written<Value>, E>
}

const rollBack = <Value, E>(exit: Exit.Exit<Written<Value>, E>) =>
  Effect.fail<RolledBack<Value, E>>({ _tag: "RolledBack", exit })

/**
 * What a write does between BEGIN and COMMIT. The record is completed and the account charged at the end,
 * in one statement. Locked from the start, the record would make every repeat wait instead of answer, and
 * the account hold up the group commit of everybody's reads for as long as the work takes.
 */
const perform = Effect.fnUntraced(function* <Value, E, R>(
  sql: SqlClient.SqlClient,
  givenMs: number | null,
  { claim, charge, work }: Write<Value, E, R>
) {
  const worked = yield* Effect.exit(work)
  if (Exit.isFailure(worked)) return yield* rollBack<Value, E>(Exit.failCause(worked.cause))
  const { value } = worked.value
  if (worked.value._tag === "Undo") return yield* rollBack<Value, E>(Exit.succeed({ _tag: "Undone", value }))
  const { owned, decision } = yield* finishWrite(sql, { claim, charge, answer: worked.value.answer, givenMs })
  if (!owned) return yield* rollBack<Value, E>(Exit.succeed({ _tag: "Stale" }))
  if (decision?._tag === "Exhausted") return yield* rollBack<Value, E>(Exit.succeed(decision))
  return { _tag: "Committed", value, available: decision?.available } as const
})

/**
 * The transaction's end as the port tells it; a lost COMMIT is asked for where there is a record to tell
 * it by.
 */
const settled = Effect.fnUntraced(function* <Value, E, R>(
  sql: SqlClient.SqlClient,
  write: Pick<Write<Value, E, R>, "claim" | "charge">,
  inside: ReturnType<typeof perform<Value, E, R>>
): Effect.fn.Return<Written<Value>, E | TransactionsUnavailable, R | SqlClient.SqlClient> {
  let reached: Written<Value> | undefined
  const remembered = Effect.tap(inside, (written) =>
    Effect.sync(() => {
      reached = written
    })
  )
  const ended = yield* Effect.result(atomically(remembered))
  if (Result.isSuccess(ended)) return ended.success
  if (ended.failure._tag === "RolledBack") return yield* ended.failure.exit
  return yield* commitLost(sql, write, ended.failure.fault, reached)
})
