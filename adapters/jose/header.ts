import type { JWSHeaderParameters } from "jose"

/** When a release was certified and until when it is good, as its meta says. */
interface Times {
  readonly certifiedAt: string
  readonly expiresAt: string
}

/** Ed25519 under the name that every verifier knows (RFC 8037). */
export const algorithm = "EdDSA"

/**
 * What is signed beside the manifest. Its payload is not encoded (RFC 7797), so that what is verified is the
 * manifest as it lies in a file; both times stand here because the manifest says nothing of when.
 */
export const protectedHeader = (keyId: string, signed: Times) =>
  ({
    alg: algorithm,
    b64: false,
    certified_at: signed.certifiedAt,
    crit: ["b64"],
    expires_at: signed.expiresAt,
    kid: keyId
  }) satisfies JWSHeaderParameters
