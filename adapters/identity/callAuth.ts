import { isAPIError } from "better-auth/api"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { isSqlError } from "effect/sql/SqlError"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { statementFault } from "../../core/error/StoreFault.ts"
import { PeopleUnavailable } from "../../core/port/People.ts"

/** Records the store's faults, because the auth library turns some of them into results of its own. */
export interface StoreFaults {
  readonly add: (error: unknown) => void
  readonly count: () => number
  /** The last fault after the first `count`. */
  readonly since: (count: number) => StoreFault | undefined
}

export const makeStoreFaults = (): StoreFaults => {
  let total = 0
  let last: StoreFault | undefined
  return {
    add: (error) => {
      total += 1
      last = faultOf(error) ?? "unreachable"
    },
    count: () => total,
    since: (count) => (total > count ? last : undefined)
  }
}

/**
 * Calls the auth library. A refusal of the library is a result, a failed store is PeopleUnavailable, and
 * anything else is a defect. The library's work cannot be canceled, so an interruption waits for it: a hash
 * still takes a core after its client has disconnected.
 */
export const makeCallAuth =
  (faults: StoreFaults) =>
  <A>(call: () => Promise<A>): Effect.Effect<Result.Result<A, "refused">, PeopleUnavailable> =>
    Effect.suspend(() => {
      const before = faults.count()
      return Effect.matchEffect(Effect.uninterruptible(Effect.tryPromise(call)), {
        onSuccess: (value) => Effect.succeed(Result.succeed(value)),
        onFailure: ({ cause }) => {
          const isRefusal = isAPIError(cause) && cause.statusCode < 500
          if (isRefusal || isUniqueViolation(cause)) return Effect.succeed(Result.fail("refused" as const))
          const fault = faultOf(cause) ?? faults.since(before)
          return fault === undefined ? Effect.die(cause) : Effect.fail(new PeopleUnavailable({ fault }))
        }
      })
    })

/**
 * Why a statement failed; undefined for errors that are not the store's. A connection lost at COMMIT counts
 * as unreachable, because every read and write of people can be repeated.
 */
const faultOf = (error: unknown): StoreFault | undefined => {
  if (isSqlError(error)) return statementFault(error.reason)
  return error instanceof Error && error.cause !== undefined ? faultOf(error.cause) : undefined
}

/** Of two writes of the same unique value the first one stays. */
const isUniqueViolation = (error: unknown): boolean =>
  isSqlError(error) && error.reason._tag === "UniqueViolation"
