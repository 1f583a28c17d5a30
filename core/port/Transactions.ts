import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Claim } from "./Idempotency.ts"
import type { Charge } from "./Ledger.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class TransactionsUnavailable extends Schema.TaggedError<TransactionsUnavailable>()(
  "TransactionsUnavailable",
  {
    fault: StoreFault
  }
) {}

/** The result of a write's work. */
export type WorkResult<Value> =
  /** Commit it; `answer` is the sealed answer that the claim is completed with. */
  | { readonly _tag: "Keep"; readonly value: Value; readonly answer: Uint8Array }
  /** Roll it back. */
  | { readonly _tag: "Undo"; readonly value: Value }

export interface Write<Value, E, R = never> {
  /** The claim that the write completes; undefined: the call had no idempotency key. */
  readonly claim: Claim | undefined
  /** Undefined: the call costs nothing (the sandbox). */
  readonly charge: Charge | undefined
  /**
   * What it writes through the ports joins the transaction. It must not wait for anything outside the store.
   * An effect that is an Exit writes nothing, and needs no transaction but its charge's.
   */
  readonly work: Effect.Effect<WorkResult<Value>, E, R>
}

/** Why a write was rejected. */
export type WriteRejected =
  | { readonly _tag: "Exhausted"; readonly required: number; readonly available: number }
  /** The claim is no longer valid. */
  | { readonly _tag: "Stale" }

/** The result of a write; all but `Committed` changed nothing. */
export type WriteResult<Value> =
  /** `available`: as in the ledger's decision; undefined where nothing was to be charged. */
  | { readonly _tag: "Committed"; readonly value: Value; readonly available: number | undefined }
  | { readonly _tag: "Undone"; readonly value: Value }
  | WriteRejected

/**
 * The one commit of a write: its work, its charge and its stored answer (contract §1, Idempotency).
 *
 * 1. It is atomic, whatever fails at whatever time: the work by failure, defect or interruption, the store,
 *    the process.
 * 2. A stale claim commits nothing, so of any number of owners one commits.
 * 3. A charge that the account cannot pay commits nothing. `precheck` reports before the work what `write`
 *    would report after it, as far as is known by then, and changes nothing: for work that cannot be undone.
 * 4. A committed write is durable: another connection sees all of it.
 * 5. An unavailable store fails with TransactionsUnavailable. A lost COMMIT is settled by reading the
 *    claim's record again, or without a claim the charge; when that cannot be read it is `unknown_outcome`.
 * 6. A failure of the work passes through unchanged.
 */
export class Transactions extends Context.Service<
  Transactions,
  {
    readonly write: <Value, E, R>(
      write: Write<Value, E, R>
    ) => Effect.Effect<WriteResult<Value>, E | TransactionsUnavailable, R>
    readonly precheck: (
      write: Pick<Write<never, never>, "claim" | "charge">
    ) => Effect.Effect<WriteRejected | undefined, TransactionsUnavailable>
  }
>()("coverage/core/port/Transactions") {}
