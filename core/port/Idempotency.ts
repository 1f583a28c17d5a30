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

/** A turn at a key: which record, and under which fence. */
export interface Claim {
  /** SHA-256 (hex) of `scopeText`. */
  readonly recordId: string
  readonly fence: number
}

/** At most this many records are forgotten at once, so that a sweep holds no lock for long. */
export const forgottenMax = 1_000

/**
 * The turns at X-Idempotency-Keys (§4.6.2, contract §1); `Transactions` completes them. Answers are kept as
 * the sealed bytes they were given as.
 *
 * 1. For any history the adapter answers as the kernel's record folded over that history.
 * 2. However many begin at once, one executes; a begin never waits for the turn it meets.
 * 3. Records do not touch each other.
 * 4. What is answered is seen from another connection at once.
 * 5. An unavailable store fails with IdempotencyUnavailable, never a guess.
 * 6. `forget` removes what was last begun two days ago or earlier, at most `forgottenMax` records, and says
 *    how many.
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
