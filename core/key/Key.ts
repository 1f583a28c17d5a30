import type * as Brand from "effect/Brand"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { Surface } from "../operation/Operation.ts"

/** A whole API key. A secret: shown once, hashed at once, never logged (§2.5). */
export type ApiKey = string & Brand.Brand<"ApiKey">
export type KeyMode = "live" | "test"

/** What the text of a credential can be told to be without any I/O (§5.4, contract §1, Keys). */
export type KeyText =
  | { readonly _tag: "Key"; readonly mode: KeyMode; readonly key: ApiKey }
  /** Begins with svc_, yet its shape or checksum is wrong: mistyped or cut off. */
  | { readonly _tag: "Mistyped"; readonly mode: KeyMode }
  | { readonly _tag: "OAuthToken" }
  | { readonly _tag: "Unknown" }

/** Crockford's base32 in lower case: no i, l, o, u. A character's index is its value in GF(32). */
export const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
export const randomLength = 27
export const checksumLength = 4

const keyShape = new RegExp(
  `^svc_(live|test)_([${alphabet}]{${randomLength}})_([${alphabet}]{${checksumLength}})$`
)
const prefixModes: ReadonlyArray<readonly [prefix: string, mode: KeyMode]> = [
  ["svc_live_", "live"],
  ["svc_test_", "test"]
]
const legacyPrefix = "vrt_"
/** 32 bytes in base64url, or a JWT's three parts. */
const tokenShape = /^([A-Za-z0-9_-]{43}|[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/

/** The prefix is judged first; then the shape of an OAuth token. */
export const parseKeyText = (text: string): KeyText => {
  if (text.startsWith(legacyPrefix)) return { _tag: "Key", mode: "live", key: text as ApiKey }
  const prefix = prefixModes.find(([start]) => text.startsWith(start))
  if (prefix !== undefined) {
    const [, mode] = prefix
    return isWellFormed(text, mode) ? { _tag: "Key", mode, key: text as ApiKey } : { _tag: "Mistyped", mode }
  }
  return { _tag: tokenShape.test(text) ? "OAuthToken" : "Unknown" }
}

const isWellFormed = (text: string, mode: KeyMode): boolean => {
  const match = keyShape.exec(text)
  return match !== null && match[3] === checksum({ mode, random: match[2] ?? "" })
}

/** The key made of 27 random bytes; the low five bits of each are used. */
export const makeKey = (input: { readonly mode: KeyMode; readonly randomBytes: Uint8Array }): ApiKey => {
  const random = [...input.randomBytes.subarray(0, randomLength)].map((byte) => alphabet[byte & 31]).join("")
  return `svc_${input.mode}_${random}_${checksum({ mode: input.mode, random })}` as ApiKey
}

export const keyRandomBytes = randomLength

/** Whether the text may be adopted as a legacy key: the prefix is the only rule (contract §1, Keys). */
export const isLegacyKey = (text: string): text is ApiKey => text.startsWith(legacyPrefix) && text.length > 4

/** x^5 + x^2 + 1 */
const fieldPolynomial = 0b100101
/** What a test key's parity is XORed with. */
const testMask = [1, 14, 29, 10] as const

const powers: ReadonlyArray<number> = Array.from({ length: 30 }).reduce<ReadonlyArray<number>>(
  (known) => {
    const doubled = (known.at(-1) ?? 1) << 1
    return [...known, doubled & 32 ? doubled ^ fieldPolynomial : doubled]
  },
  [1]
)
const logarithms = new Map(powers.map((value, exponent) => [value, exponent]))

const multiply = (a: number, b: number): number => {
  const [left, right] = [logarithms.get(a), logarithms.get(b)]
  return left === undefined || right === undefined ? 0 : (powers[(left + right) % 31] ?? 0)
}

/** The product of (x - α^i) for i = 1..4, high power first, without its leading 1. */
const generator: ReadonlyArray<number> = [1, 2, 3, 4]
  .reduce<ReadonlyArray<number>>(
    (product, exponent) => {
      const root = powers[exponent] ?? 0
      const shifted = [...product, 0]
      return shifted.map(
        (coefficient, index) => coefficient ^ multiply(root, index === 0 ? 0 : (product[index - 1] ?? 0))
      )
    },
    [1]
  )
  .slice(1)

const parity = (values: ReadonlyArray<number>): ReadonlyArray<number> =>
  values.reduce<ReadonlyArray<number>>(
    (register, value) => {
      const feedback = value ^ (register[0] ?? 0)
      return generator.map(
        (coefficient, index) => (register[index + 1] ?? 0) ^ multiply(feedback, coefficient)
      )
    },
    [0, 0, 0, 0]
  )

/**
 * The four checksum characters of 27 characters of the alphabet (contract §1, Keys): the Reed–Solomon (31,27)
 * parity over GF(32), with the mode folded in. Its distance is 5, so every change of up to four characters,
 * any swap and any live/test mix-up is refused before any I/O.
 */
export const checksum = (input: { readonly mode: "live" | "test"; readonly random: string }): string =>
  parity([...input.random].map((character) => alphabet.indexOf(character)))
    .map((value, index) => alphabet[input.mode === "test" ? value ^ (testMask[index] ?? 0) : value])
    .join("")

/** What a call may bring to show who it is. */
export interface Credential {
  readonly _tag: "Credential"
  readonly key: ApiKey
  readonly mode: KeyMode
}

/** The mode of key each surface takes, and what a key of the other mode is told (§5.2, §5.3). */
const surfaceModes = {
  live: { mode: "live", other: "AUTH_TEST_KEY_SANDBOX_ONLY", token: "AUTH_INVALID_TOKEN" },
  sandbox: { mode: "test", other: "AUTH_SANDBOX_TEST_KEY_REQUIRED", token: "AUTH_SANDBOX_TEST_KEY_REQUIRED" }
} as const

const bearer = /^bearer +(\S+)$/i

/** The one token of an Authorization header; undefined: it is not exactly `Bearer` and one token. */
export const bearerToken = (header: string): string | undefined => bearer.exec(header.trim())?.[1]

const mistypedHint = "The key looks mistyped or cut off: copy it again, whole."

/** Reads the Authorization header (§5.4, step 2 of the checks); no I/O. */
export const readCredential = (header: string | undefined, surface: Surface): Credential | Refusal => {
  if (header === undefined) return refused("AUTH_MISSING")
  const token = bearerToken(header)
  if (token === undefined) return refused("AUTH_INVALID_FORMAT")
  const text = parseKeyText(token)
  const expected = surfaceModes[surface]
  switch (text._tag) {
    case "Key":
      return text.mode === expected.mode
        ? { _tag: "Credential", key: text.key, mode: text.mode }
        : refused(expected.other)
    case "Mistyped":
      return refused("AUTH_KEY_NOT_FOUND", undefined, mistypedHint)
    case "OAuthToken":
      return refused(expected.token)
    case "Unknown":
      return refused("AUTH_INVALID_KEY_FORMAT")
  }
}
