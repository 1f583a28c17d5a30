import * as Schema from "effect/Schema"

/**
 * Why a store did not answer, the same words in every port's `…Unavailable` error (contract §1, Server
 * faults): `unreachable` no connection, or a server that can do nothing, and nothing happened;
 * `refused` the store refused the statement;
 * `timeout` the statement was cut off by its own deadline; `unknown_outcome` the connection went while COMMIT
 * was under way.
 */
export const StoreFault = Schema.Literals(["unreachable", "refused", "timeout", "unknown_outcome"])
export type StoreFault = typeof StoreFault.Type

/** What a driver of SQL says of a statement that failed, as far as the fault follows from it. */
export interface StatementFailure {
  /** The driver's own word for the kind of failure. */
  readonly _tag: string
  /** `connect`: the connection was being made, so that nothing can have happened. */
  readonly operation?: string | undefined
  /** What the server or the socket said; a server's word bears its SQLSTATE as `code`. */
  readonly cause: unknown
}

/**
 * Why a store that speaks SQL did not answer. The SQLSTATE is asked before the driver's word, because drivers
 * have none for a server that shuts down, starts up or has no connection left, nor for a session that idled
 * or lasted too long.
 */
export const statementFault = ({ _tag, cause, operation }: StatementFailure): StoreFault => {
  const state = sqlState(cause)
  if (disabledStates.test(state) || interventionStates.test(state) || unreachableReasons.has(_tag))
    return "unreachable"
  if (deadlineStates.has(state) || deadlineReasons.has(_tag)) return "timeout"
  return operation === "connect" ? "unreachable" : "refused"
}

/**
 * As `statementFault`, for a statement that would have committed: a loss after it was sent leaves its outcome
 * unknown. A server that answers that it cannot has done nothing; one that is shut down may have.
 */
export const sentStatementFault = (failure: StatementFailure): StoreFault => {
  const fault = statementFault(failure)
  return fault === "unreachable" &&
    failure.operation !== "connect" &&
    !disabledStates.test(sqlState(failure.cause))
    ? "unknown_outcome"
    : fault
}

const sqlState = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

/**
 * 57P: the operator intervened (shutting down, starting up); 53: out of disk, memory or connections;
 * 25006: it takes no writes; 42501, 28 and 3D000: it does not let this login in, or not as far as it must.
 */
const disabledStates = /^(53...|25006|42501|28...|3D000)$/
const interventionStates = /^57P..$/
const unreachableReasons: ReadonlySet<string> = new Set(["ConnectionError", "AuthenticationError"])
/** A transaction that idled too long, and one that lasted too long. */
const deadlineStates: ReadonlySet<string> = new Set(["25P03", "25P04"])
const deadlineReasons: ReadonlySet<string> = new Set(["StatementTimeoutError", "LockTimeoutError"])
