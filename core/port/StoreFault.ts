import * as Schema from "effect/Schema"

/**
 * Why a store did not answer, the same words in every port's `…Unavailable` error (contract §1, Server
 * faults): `unreachable` no connection, nothing happened; `refused` the store refused the statement;
 * `timeout` the statement was cut off by its own deadline; `unknown_outcome` the connection went while COMMIT
 * was under way.
 */
export const StoreFault = Schema.Literals(["unreachable", "refused", "timeout", "unknown_outcome"])
export type StoreFault = typeof StoreFault.Type
