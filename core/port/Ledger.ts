import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Account } from "../organization/Account.ts"
import type { ChargeDecision } from "../organization/credit.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Statement } from "../organization/statement.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class LedgerUnavailable extends Schema.TaggedError<LedgerUnavailable>()("LedgerUnavailable", {
  fault: StoreFault
}) {}

/** One call's charge and the usage row that is written with it (contract §1). */
export interface Charge {
  readonly organizationId: OrganizationId
  /** Unique per call. */
  readonly requestId: string
  /** Cost units, 1..8. */
  readonly cost: number
  /** Operation id, for the usage row. */
  readonly operation: string
  /** Key id or OAuth client id. */
  readonly caller: string
  readonly source: "api" | "mcp"
  /** The MCP tool and the person it acted for, for the usage row (§6). */
  readonly tool?: string
  readonly person?: string
  readonly atMs: number
}

/** How a charged call was answered. */
export interface CallEnd {
  readonly organizationId: OrganizationId
  readonly requestId: string
  /** HTTP status, 200..599. */
  readonly status: number
}

/**
 * A process is taken for dead after this many sweeps in a row without a sign of it: six gaps of five seconds,
 * in which every call has met its deadline of ten.
 */
export const silentSweeps = 7

/**
 * Credits: append-only entries and the account they sum to (§8.3).
 *
 * 1. For any history the adapter returns what the kernel's `charge` returns, folded over that history.
 * 2. granted - charged + refunded - expired = balance, from the entries alone, at every instant.
 * 3. Under any concurrency, an account never goes below zero and never refuses a charge that it can pay.
 * 4. A charge is refunded at most once, and nothing else is refunded. A request id is charged once and a
 *    grant id granted once: a repetition returns the same result and takes nothing.
 * 5. A charge that returned is durable: another connection sees it.
 * 6. An unavailable store fails with LedgerUnavailable; the outcome of a charge whose COMMIT was lost is
 *    settled by reading its request id again, or is `unknown_outcome`.
 * 7. A charge cannot be interrupted once it has begun: its caller always learns whether to refund.
 * 8. Organizations are independent; charging an unknown one is `Exhausted` with nothing available.
 * 9. Where a process dies, each of its charges whose call neither ended nor was refunded is refunded once,
 *    within `silentSweeps` sweeps of any other process. A refund that failed is repeated by the next sweep of
 *    its own process. Running calls, and calls that ended a second ago or earlier, are not touched.
 * 10. The status given to `ended` is in the usage row a second later. A row is corrected once; later
 *     corrections change nothing.
 * 11. `account` is the kernel's account at that instant, with a due renewal counted and not written. Its cost
 *     does not depend on the number of entries.
 */
export class Ledger extends Context.Service<
  Ledger,
  {
    readonly charge: (charge: Charge) => Effect.Effect<ChargeDecision, LedgerUnavailable>
    /** True when this call gave the credits back; false when there was nothing to give back. */
    readonly refund: (input: {
      readonly organizationId: OrganizationId
      readonly requestId: string
      readonly atMs: number
    }) => Effect.Effect<boolean, LedgerUnavailable>
    /**
     * Records how a call ended, also one whose charge was part of a transaction. Never waits, never fails.
     */
    readonly ended: (call: CallEnd) => Effect.Effect<void>
    /** Refunds charges whose calls never ended, and returns how many. Runs every five seconds. */
    readonly sweep: Effect.Effect<number, LedgerUnavailable>
    readonly grant: (input: {
      readonly organizationId: OrganizationId
      readonly amount: number
      readonly grantId: string
      readonly atMs: number
    }) => Effect.Effect<Statement | undefined, LedgerUnavailable>
    /** Undefined: no such organization. */
    readonly account: (input: {
      readonly organizationId: OrganizationId
      readonly nowMs: number
    }) => Effect.Effect<Account | undefined, LedgerUnavailable>
    readonly statement: (input: {
      readonly organizationId: OrganizationId
      readonly nowMs: number
    }) => Effect.Effect<Statement | undefined, LedgerUnavailable>
  }
>()("coverage/core/port/Ledger") {}
