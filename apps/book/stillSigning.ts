import { createPrivateKey, hash, sign } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { protectedHeader } from "../../adapters/jose/header.ts"
import type { Signed } from "../../core/port/Signing.ts"
import { Signing } from "../../core/port/Signing.ts"

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Beginning = Buffer.from("302e020100300506032b657004220420", "hex")

/** A pair that signs the examples of the book and nothing else, so that it is no secret. */
const pair = createPrivateKey({
  key: Buffer.concat([pkcs8Beginning, hash("sha256", "the pair of the book", "buffer")]),
  format: "der",
  type: "pkcs8"
})

const keyId = "the-pair-of-the-examples"

/** Signs as the service does, with the pair of the book: the service's own is another on every machine. */
export const stillSigning = Layer.succeed(Signing, {
  signer: Effect.succeed((signed: Signed) =>
    Effect.sync(() => {
      const header = Buffer.from(JSON.stringify(protectedHeader(keyId, signed))).toString("base64url")
      const signature = sign(null, Buffer.from(`${header}.${signed.manifest}`), pair)
      return `${header}..${signature.toString("base64url")}`
    })
  ),
  publicKeys: Effect.succeed([])
})
