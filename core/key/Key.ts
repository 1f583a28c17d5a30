import type * as Brand from "effect/Brand"
import { alphabet, checksum, checksumLength, randomLength } from "./checksum.ts"

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
