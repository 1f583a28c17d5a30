import { createHmac, hash, randomFillSync } from "node:crypto"
import * as Layer from "effect/Layer"
import { Crypto } from "../../core/port/Crypto.ts"
import { makeEncryption } from "./encryption.ts"

/**
 * Random bytes are drawn in one block for many ids: a system call for each would cost more than the rest of
 * an id.
 */
const blockBytes = 4_096

const makeRandomBytes = () => {
  const block = new Uint8Array(blockBytes)
  let used = blockBytes
  return (count: number): Uint8Array => {
    if (count > blockBytes) return randomFillSync(new Uint8Array(count))
    if (used + count > blockBytes) {
      randomFillSync(block)
      used = 0
    }
    used += count
    const bytes = block.slice(used - count, used)
    block.fill(0, used - count, used)
    return bytes
  }
}

/** Node's own cryptography behind the Crypto port. */
export const layer: Layer.Layer<Crypto> = Layer.sync(Crypto, () => ({
  sha256Hex: (text) => hash("sha256", text),
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  hmacSha256: ({ secret, text }) => createHmac("sha256", secret).update(text, "utf8").digest("base64url"),
  randomBytes: makeRandomBytes(),
  ...makeEncryption()
}))
