import type { KeyObject } from "node:crypto"
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomFillSync } from "node:crypto"
import type { Crypto } from "../../core/port/Crypto.ts"

/** The first byte of what is sealed: what follows is nonce, tag and text under AES-256-GCM. */
const format = 1
const nonceBytes = 12
const tagBytes = 16
const cipher = "aes-256-gcm"

/** Separates these keys from whatever else is ever derived of the same secret. */
const purpose = "coverage-policy at rest v1"

/** AES-256-GCM under keys that HKDF-SHA256 derives from the secrets, each once. */
export const makeEncryption = (): Pick<Crypto["Service"], "encrypt" | "decrypt"> => {
  const keys = new Map<string, KeyObject>()
  const keyOf = (secret: string): KeyObject => {
    const known = keys.get(secret)
    if (known !== undefined) return known
    const key = createSecretKey(new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32)))
    keys.set(secret, key)
    return key
  }
  return {
    encrypt: ({ secret, context, text }) => {
      const nonce = randomFillSync(new Uint8Array(nonceBytes))
      const sealing = createCipheriv(cipher, keyOf(secret), nonce).setAAD(Buffer.from(context))
      const sealed = [sealing.update(text, "utf8"), sealing.final()]
      return Buffer.concat([Uint8Array.of(format), nonce, sealing.getAuthTag(), ...sealed])
    },
    decrypt: ({ secrets, context, sealed }) => {
      for (const secret of secrets) {
        const text = opened(keyOf(secret), context, sealed)
        if (text !== undefined) return text
      }
      return undefined
    }
  }
}

const opened = (key: KeyObject, context: string, sealed: Uint8Array): string | undefined => {
  const textAt = 1 + nonceBytes + tagBytes
  if (sealed[0] !== format || sealed.length < textAt) return undefined
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(1 + nonceBytes, textAt))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()]).toString("utf8")
  } catch {
    return undefined
  }
}
