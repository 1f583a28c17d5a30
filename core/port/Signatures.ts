import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import type { PublicKey } from "../release/exported.ts"
import type { SigningKeysUnavailable } from "./SigningKeys.ts"

/** What a signature of a release is over: the manifest's bytes, and both times in the protected header. */
export interface SignedPayload {
  /** Canonical JSON. */
  readonly manifest: string
  readonly certifiedAt: IsoTime
  readonly expiresAt: IsoTime
}

/** A public key as it is published (RFC 7517). */
export interface PublishedKey extends PublicKey {
  readonly kid: string
  readonly use: "sig"
  readonly alg: "EdDSA"
}

/**
 * Signs releases with the service's own pair (contract §2): Ed25519 in a detached JWS (RFC 8037, RFC 7797).
 *
 * 1. The pair is made when it is first needed, once for all processes, and signs from then on; after that
 *    equal input gives equal signatures.
 * 2. A pair that no secret key opens any more signs nothing: another takes its place, and the old public key
 *    stays published.
 * 3. `signer` fails where the pair is not at hand; what it gives signs without asking anybody.
 */
export class Signatures extends Context.Service<
  Signatures,
  {
    readonly signer: Effect.Effect<(signed: SignedPayload) => Effect.Effect<string>, SigningKeysUnavailable>
    /** The newest first. */
    readonly publicKeys: Effect.Effect<ReadonlyArray<PublishedKey>, SigningKeysUnavailable>
  }
>()("coverage/core/port/Signatures") {}
