import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { PublicKey } from "../release/exported.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class SigningKeysUnavailable extends Schema.TaggedError<SigningKeysUnavailable>()(
  "SigningKeysUnavailable",
  { fault: StoreFault }
) {}

/** A pair that signs releases. The private key is kept as the sealed bytes it was given as. */
export interface SigningPair {
  /** The thumbprint of the public key (RFC 7638). */
  readonly keyId: string
  readonly publicKey: PublicKey
  readonly sealed: Uint8Array
}

/**
 * The pairs that sign releases; every one that ever signed stays, so that its signatures can be verified.
 *
 * 1. `list` gives all of them, the newest first.
 * 2. `offer` adds a pair if the newest is still the one that the offer is `after` (null: none), and answers
 *    the newest: of several that offer at once one is added, and all learn which.
 * 3. An unavailable store fails with SigningKeysUnavailable.
 */
export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    readonly list: Effect.Effect<ReadonlyArray<SigningPair>, SigningKeysUnavailable>
    readonly offer: (input: {
      readonly pair: SigningPair
      readonly after: string | null
    }) => Effect.Effect<SigningPair, SigningKeysUnavailable>
  }
>()("coverage/core/port/SigningKeys") {}
