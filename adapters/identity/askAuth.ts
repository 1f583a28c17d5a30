import { isAPIError } from "better-auth/api"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { PeopleUnavailable } from "../../core/port/People.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { faultOf, isTaken } from "./fault.ts"

/** The faults of the store beneath the library, which turns some of them into answers of its own. */
export interface Faults {
  readonly add: (error: unknown) => void
  /** How many there were, to ask `since` by. */
  readonly count: () => number
  readonly since: (count: number) => StoreFault | undefined
}

export const makeFaults = (): Faults => {
  let seen = 0
  let last: StoreFault | undefined
  return {
    add: (error) => {
      seen += 1
      last = faultOf(error) ?? "unreachable"
    },
    count: () => seen,
    since: (count) => (seen > count ? last : undefined)
  }
}

/**
 * Asks the library. What it refuses is an answer; a store that failed under it is the port's error; anything
 * else is a bug.
 */
export const makeAsk =
  (faults: Faults) =>
  <A>(call: () => Promise<A>): Effect.Effect<Result.Result<A, "refused">, PeopleUnavailable> =>
    Effect.suspend(() => {
      const before = faults.count()
      return Effect.matchEffect(Effect.tryPromise(call), {
        onSuccess: (value) => Effect.succeed(Result.succeed(value)),
        onFailure: ({ cause }) => answerFor(cause, () => faultOf(cause) ?? faults.since(before))
      })
    })

const answerFor = (
  error: unknown,
  fault: () => StoreFault | undefined
): Effect.Effect<Result.Result<never, "refused">, PeopleUnavailable> => {
  const isRefusal = isAPIError(error) && error.statusCode < 500
  if (isRefusal || isTaken(error)) return Effect.succeed(Result.fail("refused"))
  const found = fault()
  return found === undefined ? Effect.die(error) : Effect.fail(new PeopleUnavailable({ fault: found }))
}
