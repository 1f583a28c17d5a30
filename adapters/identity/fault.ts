import { isSqlError } from "effect/sql/SqlError"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { statementFault } from "../../core/error/StoreFault.ts"

/**
 * The store's own words for why a statement failed, or undefined for what was not the store's. What of people
 * is read or written is repeated without harm, so that a connection lost at COMMIT is told as one that was
 * not there.
 */
export const faultOf = (error: unknown): StoreFault | undefined => {
  if (isSqlError(error)) return statementFault(error.reason)
  return error instanceof Error && error.cause !== undefined ? faultOf(error.cause) : undefined
}

/** Two wrote what only one may: the first one stays. */
export const isTaken = (error: unknown): boolean =>
  isSqlError(error) && error.reason._tag === "UniqueViolation"
