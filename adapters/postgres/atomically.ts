import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isSqlError } from "effect/sql/SqlError"
import type { Others } from "./fault.ts"
import { classify, classifySent, recover, StoreFailed } from "./fault.ts"

/**
 * Runs the effect in one transaction of the pool and answers only after COMMIT. Whatever PostgreSQL fails
 * becomes `StoreFailed`: `unknown_outcome` when the connection went while COMMIT was under way,
 * `unreachable` when it went earlier, for then nothing was committed. A failure of the effect's own rolls
 * back and passes through.
 *
 * Inside another transaction it is a part of it and costs no statement of its own: the outer one says what
 * became of it all. A part that failed takes the whole along, whoever caught its failure.
 */
export const atomically = Effect.fnUntraced(function* <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.fn.Return<A, Others<E> | StoreFailed, R | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const around = yield* Effect.serviceOption(sql.transactionService)
  return yield* around._tag === "Some" ? part(effect, around.value) : whole(effect, sql)
})

const whole = <A, E, R>(effect: Effect.Effect<A, E, R>, sql: SqlClient.SqlClient) => {
  let committing = false
  const work = Effect.tap(effect, () =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (around) => {
      if (around._tag === "Some" && hasFailedPart(around.value[0]))
        return Effect.fail(new StoreFailed({ fault: "refused" }))
      committing = true
      return Effect.void
    })
  )
  return told(sql.withTransaction(work), (failure) =>
    committing ? classifySent(failure) : classify(failure)
  )
}

const part = <A, E, R>(effect: Effect.Effect<A, E, R>, [connection]: readonly [object, number]) =>
  told(
    Effect.onError(effect, () => Effect.sync(() => void failed.add(connection))),
    classify
  )

/** Whether a part of what ran on this connection has failed: then nothing of it may be kept. */
const hasFailedPart = (connection: object): boolean => failed.has(connection)

const failed = new WeakSet<object>()

const told = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  faultOf: (failure: SqlError) => StoreFailed["fault"]
) =>
  recover(effect, (failure) => (isSqlError(failure) ? new StoreFailed({ fault: faultOf(failure) }) : failure))
