import type { ScryptOptions } from "node:crypto"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

/** OWASP's parameters for scrypt with 32 MiB; a hash costs about N × r × p. */
const current = { N: 2 ** 15, r: 8, p: 3 } as const
/** The auth library's own parameters, of the hashes made until November 2026. */
const older = { N: 2 ** 14, r: 16, p: 1 } as const
/** What an older hash lacks to the cost of a current one. */
const difference = { N: 2 ** 14, r: 16, p: 2 } as const

const [saltBytes, keyBytes] = [16, 64]

/** Returns `$scrypt$ln=15,r=8,p=3$<salt>$<key>`, both base64 without padding (the PHC string format). */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(saltBytes)
  const key = await keyOf(password, salt, current)
  return `${prefix}${[salt, key].map((bytes) => bytes.toString("base64").replaceAll("=", "")).join("$")}`
}

/**
 * Verifies a current or an older hash, in the same time: the response must not show which accounts have not
 * signed in since the parameters were raised.
 */
export const verifyPassword = async (pair: {
  readonly hash: string
  readonly password: string
}): Promise<boolean> => {
  const { hash, password } = pair
  if (!isOutdatedHash(hash)) {
    const [salt = "", key = ""] = hash.slice(prefix.length).split("$")
    const found = await keyOf(password, Buffer.from(salt, "base64"), current)
    return isEqual(found, Buffer.from(key, "base64"))
  }
  const [salt = "", key = ""] = hash.split(":")
  const found = await keyOf(password, salt, older)
  await keyOf(password, salt, difference)
  return isEqual(found, Buffer.from(key, "hex"))
}

/** Whether the hash was made with other parameters than today's. */
export const isOutdatedHash = (hash: string): boolean => !hash.startsWith(prefix)

const prefix = `$scrypt$ln=${Math.log2(current.N)},r=${current.r},p=${current.p}$`

const derive = promisify<string, string | Buffer, number, ScryptOptions, Buffer>(scrypt)

// Normalized as the library did: keyboards write the same character in several ways.
const keyOf = (password: string, salt: string | Buffer, cost: { N: number; r: number; p: number }) =>
  derive(password.normalize("NFKC"), salt, keyBytes, { ...cost, maxmem: 256 * cost.N * cost.r })

const isEqual = (found: Buffer, stored: Buffer): boolean =>
  found.length === stored.length && timingSafeEqual(found, stored)
