import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as RcMap from "effect/RcMap"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { TransactionsUnavailable, WorkResult, Write, WriteResult } from "../../core/port/Transactions.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { commitLost, transactionFailed, leftTo } from "./commitLost.ts"
import { atomically, unavailable, unconfirmed } from "./Database.ts"
import { finishAlone, finishWrite } from "./finishWrite.ts"
import { precheck } from "./precheck.ts"
import type { RecordClock } from "./recordClock.ts"

/**
 * Transactions of PostgreSQL's pool: what a write's work does through the pool's client joins them by
 * itself. The writes of one organization follow each other, so that those that wait for one lock hold one
 * connection and not all of the pool. What costs nothing does not say whose it is, and waits for nobody.
 */
export const layer = (options: { readonly clock: RecordClock }) =>
  Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const nowMs = options.clock === "caller" ? Clock.currentTimeMillis : Effect.succeed(null)
      const queues = yield* RcMap.make({ lookup: (_: OrganizationId) => Semaphore.make(1) })
      const inQueue = <A, E, R>(organizationId: OrganizationId, effect: Effect.Effect<A, E, R>) =>
        Effect.scopedWith((scope) =>
          Effect.flatMap(Scope.provide(RcMap.get(queues, organizationId), scope), ({ withPermit }) =>
            withPermit(effect)
          )
        )
      // The compiler cannot see that what needs R and the client needs R once it has the client.
      const write = <Value, E, R>(write: Write<Value, E, R>) =>
        Effect.flatMap(nowMs, (givenMs) => {
          const inTransaction = settled(sql, write, perform(sql, givenMs, write))
          const carried = Exit.isExit(write.work)
            ? byItself(sql, givenMs, write, write.work as Exit.Exit<WorkResult<Value>, E>, inTransaction)
            : inTransaction
          return write.charge === undefined ? carried : inQueue(write.charge.organizationId, carried)
        }).pipe(Effect.provideService(SqlClient.SqlClient, sql)) as Effect.Effect<
          WriteResult<Value>,
          E | TransactionsUnavailable,
          R
        >
      return Transactions.of({
        write,
        precheck: (write) => unavailable(transactionFailed)(precheck(sql, write))
      })
    })
  )

/** A write that changes nothing else: one statement where that is plain, and the transaction where not. */
const byItself = Effect.fnUntraced(function* <Value, E, R>(
  sql: SqlClient.SqlClient,
  givenMs: number | null,
  { claim, charge }: Pick<Write<never, never>, "claim" | "charge">,
  work: Exit.Exit<WorkResult<Value>, E>,
  inTransaction: Effect.Effect<WriteResult<Value>, E | TransactionsUnavailable, R>
): Effect.fn.Return<WriteResult<Value>, E | TransactionsUnavailable, R> {
  if (Exit.isFailure(work) || work.value._tag === "Undo") return yield* inTransaction
  const { value, answer } = work.value
  const ended = yield* Effect.result(
    unconfirmed((fault: StoreFault) => fault)(finishAlone(sql, { claim, charge, answer, givenMs }))
  )
  if (Result.isSuccess(ended)) return { _tag: "Committed", value, available: ended.success }
  if (ended.failure === "refused") return yield* inTransaction
  yield* commitLost(sql, { claim, charge }, ended.failure, true)
  return { _tag: "Committed", value, available: charge && (yield* leftTo(sql, charge)) }
})

/** Ends a transaction without a COMMIT, and says what its write came to. */
interface RolledBack<Value, E> {
  readonly _tag: "RolledBack"
  readonly exit: Exit.Exit<WriteResult<Value>, E>
}

const rollBack = <Value, E>(exit: Exit.Exit<WriteResult<Value>, E>) =>
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
): Effect.fn.Return<WriteResult<Value>, E | TransactionsUnavailable, R | SqlClient.SqlClient> {
  let reached: WriteResult<Value> | undefined
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
