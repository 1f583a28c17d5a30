import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ChargeDecision } from "../organization/credit.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Statement } from "../organization/statement.ts"
import { StoreFault } from "./StoreFault.ts"

export class LedgerUnavailable extends Schema.TaggedError<LedgerUnavailable>()("LedgerUnavailable", {
  fault: StoreFault
}) {}

/** One call's charge and the usage row that is written with it (contract §1). */
export interface Charge {
  readonly organizationId: OrganizationId
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

/**
 * Credits: append-only entries and the account they sum to (§8.3).
 *
 * 1. For any history the adapter answers as the kernel's `charge` folded over that history.
 * 2. granted - charged + refunded - expired = balance, from the entries alone, at every instant.
 * 3. However many race, an account never goes below zero and never refuses what it could pay.
 * 4. A refund happens at most once for a charge, and never without one. A request id is charged once, a grant
 *    id granted once: done again, they answer as before and take nothing.
 * 5. An answered charge is durable: another connection sees it.
 * 6. A store that is away fails with LedgerUnavailable; the outcome of a charge whose COMMIT was lost is
 *    settled by reading its request id again, or is `unknown_outcome`.
 * 7. A charge cannot be interrupted once it is begun: its caller always learns whether there is something to
 *    refund.
 * 8. Organizations do not touch each other; charging an unknown one is `Exhausted` with nothing available.
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
    readonly grant: (input: {
      readonly organizationId: OrganizationId
      readonly amount: number
      readonly grantId: string
      readonly atMs: number
    }) => Effect.Effect<Statement | undefined, LedgerUnavailable>
    readonly statement: (input: {
      readonly organizationId: OrganizationId
      readonly nowMs: number
    }) => Effect.Effect<Statement | undefined, LedgerUnavailable>
  }
>()("coverage/core/port/Ledger") {}
