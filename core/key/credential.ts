import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { Surface } from "../operation/Operation.ts"
import { parseKeyText } from "./Key.ts"
import type { ApiKey, KeyMode } from "./Key.ts"

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
