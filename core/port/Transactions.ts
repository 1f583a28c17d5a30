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

/** What the work of a write came to. */
export type WorkResult<Value> =
  /** All of it shall be; `answer` is what the claim is completed with, sealed. */
  | { readonly _tag: "Keep"; readonly value: Value; readonly answer: Uint8Array }
  /** None of it shall have been. */
  | { readonly _tag: "Undo"; readonly value: Value }

export interface Write<Value, E, R = never> {
  /** The turn that the write completes; undefined: the call had no idempotency key. */
  readonly claim: Claim | undefined
  /** Undefined: the call costs nothing (the sandbox). */
  readonly charge: Charge | undefined
  /**
   * Whatever it writes through the ports joins the transaction. It must not wait for anything outside the
   * store. What is an Exit writes nothing, and needs no transaction but its charge's.
   */
  readonly work: Effect.Effect<WorkResult<Value>, E, R>
}

/** Why a write cannot be. */
export type WriteRejected =
  | { readonly _tag: "Exhausted"; readonly required: number; readonly available: number }
  /** Somebody else has the turn. */
  | { readonly _tag: "Stale" }

/** What a write came to; all but `Committed` left nothing behind. */
export type WriteResult<Value> =
  /** `available`: as in the ledger's decision; undefined where nothing was to be charged. */
  | { readonly _tag: "Committed"; readonly value: Value; readonly available: number | undefined }
  | { readonly _tag: "Undone"; readonly value: Value }
  | WriteRejected

/**
 * The one commit of a write: what its work wrote, its charge and its stored answer (contract §1,
 * Idempotency).
 *
 * 1. All of it is there or none of it, whatever fails and whenever: the work by failure, defect or
 *    interruption, the store, the process.
 * 2. A claim that is no longer the record's turn commits nothing, so of any number of owners one commits.
 * 3. What the account cannot bear commits nothing. `foresee` says before the work what `write` would say
 *    after it, as far as it shows now, and changes nothing: for work that cannot be taken back.
 * 4. A committed write is durable: another connection sees all of it.
 * 5. An unavailable store fails with TransactionsUnavailable. A lost COMMIT is settled by reading the
 *    claim's record again, or without a claim the charge; when that cannot be read it is `unknown_outcome`.
 * 6. A failure of the work passes through untouched.
 */
export class Transactions extends Context.Service<
  Transactions,
  {
    readonly write: <Value, E, R>(
      write: Write<Value, E, R>
    ) => Effect.Effect<WriteResult<Value>, E | TransactionsUnavailable, R>
    readonly foresee: (
      write: Pick<Write<never, never>, "claim" | "charge">
    ) => Effect.Effect<WriteRejected | undefined, TransactionsUnavailable>
  }
>()("coverage/core/port/Transactions") {}
