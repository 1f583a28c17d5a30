import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

/**
 * Encrypts a refresh token under a key that only the bearer of its predecessor can derive (HKDF-SHA256,
 * AES-256-GCM). Neither a copy of the database nor SECRET_KEY opens it.
 */
export const sealSuccessor = (pair: { readonly predecessor: string; readonly successor: string }) => {
  const nonce = randomBytes(nonceBytes)
  const encipher = createCipheriv(cipher, keyOf(pair.predecessor), nonce)
  const text = [encipher.update(pair.successor, "utf8"), encipher.final()]
  return Buffer.concat([nonce, encipher.getAuthTag(), ...text])
}

/** Returns the successor, or undefined if `sealed` was sealed for another predecessor. */
export const openSuccessor = (input: {
  readonly predecessor: string
  readonly sealed: Uint8Array
}): string | undefined => {
  const nonce = input.sealed.subarray(0, nonceBytes)
  const tag = input.sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  if (tag.length < tagBytes) return undefined
  const options = { authTagLength: tagBytes }
  const decipher = createDecipheriv(cipher, keyOf(input.predecessor), nonce, options).setAuthTag(tag)
  try {
    const text = [decipher.update(input.sealed.subarray(nonceBytes + tagBytes)), decipher.final()]
    return Buffer.concat(text).toString("utf8")
  } catch {
    return undefined
  }
}

const keyOf = (predecessor: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", predecessor, "", "coverage-policy refresh successor v1", 32))

const cipher = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16
