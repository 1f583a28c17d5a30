import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Begun, SettleResult } from "../idempotency/record.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class IdempotencyUnavailable extends Schema.TaggedError<IdempotencyUnavailable>()(
  "IdempotencyUnavailable",
  {
    fault: StoreFault
  }
) {}

/** The right to execute one idempotent request: its record, and the fence it was given. */
export interface Claim {
  /** SHA-256 (hex) of `scopeText`. */
  readonly recordId: string
  readonly fence: number
}

/** At most this many records are deleted at once, so that a sweep holds no lock for long. */
export const forgottenMax = 1_000

/**
 * The records of X-Idempotency-Keys (§4.6.2, contract §1); `Transactions` completes them. Answers are stored
 * as sealed bytes.
 *
 * 1. For any history the adapter returns what the kernel's record returns, folded over that history.
 * 2. Of any number of concurrent begins, one executes; a begin never waits for another.
 * 3. Records are independent.
 * 4. Another connection sees a result as soon as it was returned.
 * 5. An unavailable store fails with IdempotencyUnavailable; it never guesses.
 * 6. `forget` deletes records last begun two days ago or earlier, at most `forgottenMax`, and returns how
 *    many.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    readonly begin: (request: {
      readonly recordId: string
      /** SHA-256 (hex) of `fingerprintText`. */
      readonly fingerprint: string
    }) => Effect.Effect<Begun<Uint8Array>, IdempotencyUnavailable>
    readonly renew: (claim: Claim) => Effect.Effect<SettleResult, IdempotencyUnavailable>
    readonly release: (claim: Claim) => Effect.Effect<SettleResult, IdempotencyUnavailable>
    readonly forget: Effect.Effect<number, IdempotencyUnavailable>
  }
>()("coverage/core/port/Idempotency") {}
