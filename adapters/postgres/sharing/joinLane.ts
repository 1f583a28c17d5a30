import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { Charge } from "../../../core/port/Ledger.ts"
import type { TransactionsUnavailable, Worked, Write, Written } from "../../../core/port/Transactions.ts"
import { hasFailedPart } from "../atomically.ts"
import { commitLost } from "../commitLost.ts"
import type { Finish } from "../finishWrite.ts"
import type { Lanes } from "./lanes.ts"
import type { Ending, Member } from "./Member.ts"

/** A write that says whose it is, and how it goes when it goes alone. */
export interface Sharable<Value, E, R> extends Write<Value, E, R> {
  readonly charge: Charge
  readonly givenMs: number | null
  readonly byItself: Effect.Effect<Written<Value>, E | TransactionsUnavailable, R | SqlClient>
}

/**
 * Runs a write with others where others wait too, else by itself. Who leaves while its work runs ends the
 * shared transaction for itself; the others run again without it.
 */
export const joinLane = <Value, E, R>(sql: SqlClient, lanes: Lanes, write: Sharable<Value, E, R>) =>
  Effect.uninterruptibleMask(
    Effect.fnUntraced(function* (restore) {
      const seat = seatOf(sql, write, yield* Effect.context<R>())
      lanes.join(seat.member)
      const left = Effect.suspend(() => (lanes.leave(seat.member) ? Effect.void : given(seat)))
      const ending = yield* Effect.onInterrupt(restore(Deferred.await(seat.ended)), () => left)
      const value = seat.kept()
      switch (ending._tag) {
        case "Alone":
          return yield* Effect.ensuring(restore(write.byItself), Effect.sync(ending.done))
        case "Committed":
        case "Failed": {
          const { available } = ending
          const written: Written<Value> | undefined = value && { _tag: "Committed", ...value, available }
          if (ending._tag === "Committed" && written !== undefined) return written
          const fault = ending._tag === "Failed" ? ending.fault : "unknown_outcome"
          return yield* commitLost(sql, write, fault, written)
        }
      }
    })
  )

interface Seat<Value> {
  readonly member: Member
  readonly ended: Deferred.Deferred<Ending>
  /** What the work came to, once it is to be kept. */
  readonly kept: () => { readonly value: Value } | undefined
  readonly stop: () => void
}

/**
 * Ends the part of who left, and waits until it is known that nothing of it stays, or that all of it does.
 */
const given = <Value>({ ended, stop }: Seat<Value>): Effect.Effect<void> =>
  Effect.andThen(
    Effect.sync(stop),
    Effect.map(Deferred.await(ended), (ending) => (ending._tag === "Alone" ? ending.done() : undefined))
  )

const seatOf = <Value, E, R>(
  sql: SqlClient,
  { claim, charge, givenMs, work }: Sharable<Value, E, R>,
  context: Context.Context<R>
): Seat<Value> => {
  const ended = Deferred.makeUnsafe<Ending>()
  let kept: { readonly value: Value } | undefined
  let running: Fiber.Fiber<unknown, unknown> | undefined
  const finishOf = (connection: Connection, exit: Exit.Exit<Worked<Value>, E>): Finish | undefined => {
    if (Exit.isFailure(exit) || exit.value._tag === "Undo" || hasFailedPart(connection)) return undefined
    kept = { value: exit.value.value }
    return { claim, charge, answer: exit.value.answer, givenMs }
  }
  // In the writer's own context: to provide it to a fiber of the transaction's would copy all of both.
  const begin: Member["begin"] = (connection, told) =>
    Effect.sync(() => {
      const inside = Context.add(context, sql.transactionService, [connection, 0])
      const fiber = Effect.runForkWith(inside)(work)
      running = fiber
      fiber.addObserver((exit) => told(finishOf(connection, exit)))
    })
  return {
    member: {
      subject: charge.organizationId,
      begin,
      end: (ending) => void Deferred.doneUnsafe(ended, Exit.succeed(ending))
    },
    ended,
    kept: () => kept,
    stop: () => running?.interruptUnsafe()
  }
}
