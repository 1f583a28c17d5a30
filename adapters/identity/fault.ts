import type { SqlError } from "effect/sql/SqlError"
import { isSqlError } from "effect/sql/SqlError"
import type { StoreFault } from "../../core/port/StoreFault.ts"

/** The store's own words for why a statement failed, or undefined for what was not the store's. */
export const faultOf = (error: unknown): StoreFault | undefined => {
  if (isSqlError(error)) return classify(error)
  return error instanceof Error && error.cause !== undefined ? faultOf(error.cause) : undefined
}

/** Two wrote what only one may: the first one stays. */
export const isTaken = (error: unknown): boolean =>
  isSqlError(error) && error.reason._tag === "UniqueViolation"

// What of people is read or written is repeated without harm, so that a connection lost at COMMIT is told as
// one that was not there.
const classify = (error: SqlError): StoreFault => {
  switch (error.reason._tag) {
    case "ConnectionError":
    case "AuthenticationError":
      return "unreachable"
    case "StatementTimeoutError":
    case "LockTimeoutError":
      return "timeout"
    case "AuthorizationError":
    case "SqlSyntaxError":
    case "UniqueViolation":
    case "ConstraintError":
    case "DeadlockError":
    case "SerializationError":
      return "refused"
    // The driver's word for a server that shuts down, starts up or has no connection left.
    case "UnknownError":
      return "unreachable"
  }
}
