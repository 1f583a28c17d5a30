import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type { Others } from "./fault.ts"
import { classify, classifySent, recover, StoreFailed } from "./fault.ts"

/**
 * Runs the effect in one transaction of the pool and answers only after COMMIT. Whatever PostgreSQL fails
 * becomes `StoreFailed`: `unknown_outcome` when the connection went while COMMIT was under way,
 * `unreachable` when it went earlier, for then nothing was committed. A failure of the effect's own rolls
 * back and passes through.
 *
 * Inside another transaction it is a savepoint; then the outer one says what became of it all.
 */
export const atomically = Effect.fnUntraced(function* <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.fn.Return<A, Others<E> | StoreFailed, R | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  let committing = false
  const work = Effect.tap(effect, () =>
    Effect.sync(() => {
      committing = true
    })
  )
  return yield* recover(sql.withTransaction(work), (failure) =>
    isSqlError(failure)
      ? new StoreFailed({ fault: committing ? classifySent(failure) : classify(failure) })
      : failure
  )
})
