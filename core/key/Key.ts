import type * as Brand from "effect/Brand"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { alphabet, checksum } from "../id/checksum.ts"
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
