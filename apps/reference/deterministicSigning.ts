import { createPrivateKey, hash, sign } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { protectedHeader } from "../../adapters/jose/header.ts"
import type { SignedPayload } from "../../core/port/Signatures.ts"
import { Signatures } from "../../core/port/Signatures.ts"

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Beginning = Buffer.from("302e020100300506032b657004220420", "hex")

/** A pair that signs the examples of the reference and nothing else, so that it is no secret. */
const pair = createPrivateKey({
  key: Buffer.concat([pkcs8Beginning, hash("sha256", "the pair of the reference", "buffer")]),
  format: "der",
  type: "pkcs8"
})

const keyId = "the-pair-of-the-examples"

/** Signs as the service does, with a pair of its own: the service's differs on every machine. */
export const deterministicSigning = Layer.succeed(Signatures, {
  signer: Effect.succeed((signed: SignedPayload) =>
    Effect.sync(() => {
      const header = Buffer.from(JSON.stringify(protectedHeader(keyId, signed))).toString("base64url")
      const signature = sign(null, Buffer.from(`${header}.${signed.manifest}`), pair)
      return `${header}..${signature.toString("base64url")}`
    })
  ),
  publicKeys: Effect.succeed([])
})
