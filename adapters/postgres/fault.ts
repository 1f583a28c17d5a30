import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { isSqlError } from "effect/sql/SqlError"
import { sentStatementFault, statementFault, StoreFault } from "../../core/error/StoreFault.ts"

/** A transaction that did not answer; `unavailable` turns it into the port's own error. */
export class StoreFailed extends Schema.TaggedError<StoreFailed>()("StoreFailed", { fault: StoreFault }) {}

/** Says in a port's words why a statement failed. */
export const classify = ({ reason }: SqlError): StoreFault => statementFault(reason)

/**
 * Turns every way PostgreSQL fails a read or an `atomically` into the port's `…Unavailable`:
 * `unavailable((fault) => new KeysUnavailable({ fault }))`. A connection lost inside a transaction reaches
 * us as a defect, so defects are searched too; any other defect stays one. Errors that are not the store's
 * pass untouched.
 */
export const unavailable =
  <Unavailable>(make: (fault: StoreFault) => Unavailable) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Others<E> | Unavailable, R> =>
    recover(effect, (failure) => make(isSqlError(failure) ? classify(failure) : failure.fault))

/**
 * As `unavailable`, for one write that commits by itself, without `atomically`: when its connection went
 * after it was sent, nobody knows whether it happened.
 */
export const unconfirmedWrite =
  <Unavailable>(make: (fault: StoreFault) => Unavailable) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Others<E> | Unavailable, R> =>
    recover(effect, (failure) => make(isSqlError(failure) ? classifySent(failure) : failure.fault))

/**
 * The fault of a statement that would have committed: a loss after it was sent leaves its outcome unknown.
 */
export const classifySent = ({ reason }: SqlError): StoreFault => sentStatementFault(reason)

/** The failures that are not the store's. */
export type Others<E> = Exclude<E, SqlError | StoreFailed>

/** Runs `onFailure` on the store's failure or defect, and leaves every other cause as it is. */
export const recover = <A, E, R, Failed>(
  effect: Effect.Effect<A, E, R>,
  onFailure: (failure: SqlError | StoreFailed) => Failed
): Effect.Effect<A, Others<E> | Failed, R> =>
  Effect.catchCause(effect, (cause): Effect.Effect<never, Others<E> | Failed> => {
    const failure = storeFailure(cause)
    return failure === undefined
      ? Effect.failCause(cause as Cause.Cause<Others<E>>)
      : Effect.fail(onFailure(failure))
  })

const isStoreFailed = Schema.is(StoreFailed)

const storeFailure = <E>(cause: Cause.Cause<E>): SqlError | StoreFailed | undefined => {
  for (const reason of cause.reasons) {
    if (Cause.isDieReason(reason) && isSqlError(reason.defect)) return reason.defect
  }
  const found = Cause.findError(cause)
  if (Result.isFailure(found)) return undefined
  return isSqlError(found.success) || isStoreFailed(found.success) ? found.success : undefined
}
