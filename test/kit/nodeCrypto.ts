import { createHash, createHmac, randomBytes } from "node:crypto"
import * as Layer from "effect/Layer"
import { Crypto } from "../../core/port/Crypto.ts"

/** The runtime's own hashing and randomness, for suites that compose adapters without an app. */
export const nodeCrypto = Layer.succeed(Crypto, {
  sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
  hmacSha256: ({ secret, text }) => createHmac("sha256", secret).update(text).digest("base64url"),
  randomBytes: (count) => randomBytes(count)
})
