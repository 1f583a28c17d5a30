import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AuditEntry } from "../audit/AuditEntry.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"
import type { EndpointPatch } from "../webhook/transitions.ts"
import type { EndpointKey } from "./Endpoints.ts"
import type { Charge } from "./Ledger.ts"
import type { TransactionsUnavailable } from "./Transactions.ts"

/** A change of one endpoint's row, and the line of the log that tells of it. */
export interface Amendment {
  readonly place: EndpointKey
  readonly patch: EndpointPatch
  readonly atMs: number
  /** Undefined: nothing is logged. */
  readonly entry: AuditEntry | undefined
}

/** A record that is made and completed with the write, of a call that has an idempotency key. */
export interface KeptWith {
  /** SHA-256 (hex) of `scopeText`, and of `fingerprintText`. */
  readonly recordId: string
  readonly fingerprint: string
  /** The sealed answer, for the endpoint as it becomes. */
  readonly seal: (endpoint: Endpoint) => Uint8Array
}

export interface PlainWrite {
  readonly amendment: Amendment
  readonly charge: Charge
  /** Undefined: the call has no idempotency key. */
  readonly kept: KeptWith | undefined
}

/** A plain write that was committed: the endpoint as it became, and the credits that are left. */
export interface PlainWriteResult {
  readonly endpoint: Endpoint
  readonly available: number
}

/**
 * Writes that change one row and are committed, with charge, usage, log and kept answer, by one statement
 * that other calls share (contract §1, Idempotency). Where a store has no such port, each is a transaction.
 *
 * 1. It does what `Transactions.write` would with `Endpoints.change` by `patchEndpoint`, where the kernel's
 *    `amendEndpoint` finds the patch to be plain, the account can pay, and no record of the key is there.
 *    Undefined: one of these is not so, or somebody changed the row meanwhile; then nothing happened.
 * 2. All of it is there or none of it: row, charge, log, record.
 * 3. However many come at once with one key, one of them is committed.
 * 4. What is answered is durable, and seen from another connection.
 * 5. An unavailable store fails with TransactionsUnavailable. A lost COMMIT is settled by reading the charge;
 *    when that cannot be read it is `unknown_outcome`.
 * 6. Every writer locks the rows that it changes first and the account after them (docs/decisions/0011), so
 *    that no two writers wait for each other.
 */
export class PlainWrites extends Context.Service<
  PlainWrites,
  {
    readonly amend: (
      write: PlainWrite
    ) => Effect.Effect<PlainWriteResult | undefined, TransactionsUnavailable>
  }
>()("coverage/core/port/PlainWrites") {}
