import type { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { classify } from "./fault.ts"

/** One statement after the other, on a connection that nobody else is given. */
export interface OwnConnection {
  /** Tells the rows, their columns in order, or what the statement met. Answers how to give it up. */
  readonly ask: (question: Question, told: (answer: Rows) => void) => () => void
}

export interface Question {
  readonly statement: string
  readonly parameters: ReadonlyArray<unknown>
}

export type Rows = Exit.Exit<ReadonlyArray<ReadonlyArray<unknown>>, SqlError>

/**
 * A connection besides those of the pool, for who asks the same all the time: nothing is borrowed and given
 * back, and no other work keeps it waiting. `settings` are the session's, besides those of the pool.
 *
 * It is kept while it answers, made when it is first needed, and made anew after it was lost or given up. One
 * that went while nobody asked is noticed before anything is sent; then nothing can have happened, and the
 * statement goes to a new one.
 */
export const ownConnection = Effect.fnUntraced(function* (
  { config }: PgClient,
  settings: Readonly<Record<string, string>>
): Effect.fn.Return<OwnConnection, never, Scope.Scope> {
  const own = { ...config, startupParameters: { ...config.startupParameters, ...settings } }
  const run = Effect.runForkWith(yield* Effect.context<never>())
  let idle: Held | undefined
  let isClosed = false
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      return idle === undefined ? Effect.void : end(idle)
    })
  )

  const giveBack = (held: Held, answer: Rows): void => {
    if (isClosed || idle !== undefined || !isSound(answer)) run(end(held))
    else idle = held
  }

  const askNew = (question: Question, told: (answer: Rows) => void): (() => void) => {
    const asking = Effect.flatMap(Effect.interruptible(connect(own)), (held) =>
      Effect.onExit(Effect.interruptible(queried(held, question)), (answer) =>
        Effect.sync(() => giveBack(held, answer))
      )
    )
    return observed(run(Effect.uninterruptible(asking)), told)
  }

  return {
    // A connection is taken while it is asked: who comes while another waits for an answer that is not to be
    // had any more gets a new one.
    ask: (question, told) => {
      const held = idle
      if (held === undefined) return askNew(question, told)
      idle = undefined
      const asking = run(queried(held, question))
      // An answer takes a turn of the event loop at least, so what failed by now was never sent.
      const atOnce = asking.pollUnsafe()
      if (atOnce !== undefined && isLost(atOnce)) {
        giveBack(held, atOnce)
        return askNew(question, told)
      }
      return observed(asking, (answer) => {
        giveBack(held, answer)
        told(answer)
      })
    }
  }
})

const queried = ({ connection }: Held, { statement, parameters }: Question) =>
  connection.queryValues(statement, parameters)

const observed = <A, E>(fiber: Fiber.Fiber<A, E>, told: (exit: Exit.Exit<A, E>) => void): (() => void) => {
  fiber.addObserver(told)
  return () => fiber.interruptUnsafe()
}

interface Held {
  readonly connection: PgConnection.PgConnection
  readonly scope: Scope.Closeable
}

const connect = (config: PgConnection.Config): Effect.Effect<Held, SqlError> =>
  Effect.flatMap(Scope.make(), (scope) =>
    Effect.map(
      Effect.onError(Scope.provide(PgConnection.make(config), scope), () => Scope.close(scope, Exit.void)),
      (connection) => ({ connection, scope })
    )
  )

const end = ({ scope }: Held): Effect.Effect<void> => Scope.close(scope, Exit.void)

/** Whether the server answered, be it that it refused. */
const isSound = (answer: Rows): boolean => Exit.isSuccess(answer) || faultOf(answer) === "refused"

const isLost = (answer: Rows): boolean => faultOf(answer) === "unreachable"

const faultOf = (answer: Rows): StoreFault | undefined => {
  const found = Exit.findError(answer)
  return Result.isSuccess(found) ? classify(found.success) : undefined
}
