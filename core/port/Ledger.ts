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
  /** Of this call alone, whoever makes another. */
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
 * Sweeps in a row that must see a process silent before its calls are given up: six gaps of five seconds, in
 * which every call has met its deadline of ten.
 */
export const silentSweeps = 7

/**
 * Credits: append-only entries and the account they sum to (§8.3).
 *
 * 1. For any history the adapter answers as the kernel's `charge` folded over that history.
 * 2. granted - charged + refunded - expired = balance, from the entries alone, at every instant.
 * 3. However many race, an account never goes below zero and never refuses what it could pay.
 * 4. A refund happens at most once for a charge, and never without one. A request id is charged once, a grant
 *    id granted once: done again, they answer as before and take nothing.
 * 5. An answered charge is durable: another connection sees it.
 * 6. An unavailable store fails with LedgerUnavailable; the outcome of a charge whose COMMIT was lost is
 *    settled by reading its request id again, or is `unknown_outcome`.
 * 7. A charge cannot be interrupted once it is begun: its caller always learns whether there is something to
 *    refund.
 * 8. Organizations do not touch each other; charging an unknown one is `Exhausted` with nothing available.
 * 9. A charge whose call neither ended nor was refunded when its process went is refunded once, by
 *    `silentSweeps` sweeps of any other process; so is one whose refund failed, by the next sweep of its own.
 *    A call that still runs is left alone, and so is one that ended, a second after it did.
 * 10. What `ended` says is in the usage row a second later; a row is corrected once, and what is said after
 *     that changes nothing.
 * 11. `account` is the kernel's as of the instant, a renewal that is due counted and not written; its cost
 *     does not grow with the number of entries.
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
    /** Undefined: no such organization. */
    /** Whether or not the charge was its own (`Transactions`). Neither waits nor fails. */
    readonly ended: (call: CallEnd) => Effect.Effect<void>
    /** Gives back what never answered, and says how many charges that were. Asked every five seconds. */
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
