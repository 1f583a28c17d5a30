import type { IsoTime } from "../coverage/date.ts"
import { randomLength } from "../key/Key.ts"
import { checksum } from "../id/checksum.ts"
import type { ApiKey } from "../key/Key.ts"
import type { KeyHash, KeyHolder, KeyId, KeyRecord } from "../key/state.ts"
import { ownHolder } from "../key/testKey.ts"
import { testKeyRecord } from "./testKey.ts"

/**
 * A test key that everybody knows: well-formed, in no store, and always refused the same way. Its readable
 * beginning is spelled in the characters of a key, which have no i, l, o and u.
 */
const reserved = (word: string): ApiKey => {
  const random = word.padEnd(randomLength, "0")
  return `svc_test_${random}_${checksum({ mode: "test", random })}` as ApiKey
}

/** The keys themselves, for the documentation. */
export const reservedKeys = {
  revoked: reserved("rev0ked"),
  suspended: reserved("svspended"),
  expired: reserved("exp1red"),
  /** Allowed from a network of the documentation only (RFC 5737). */
  otherAddress: reserved("0ther0address"),
  /** Lists one origin; without an Origin header it reads. */
  otherOrigin: reserved("0ther00r1g1n")
} as const

const midnight = (day: string): IsoTime => `${day}T00:00:00.000Z` as IsoTime

const differences: Readonly<Record<keyof typeof reservedKeys, Partial<KeyRecord>>> = {
  revoked: { mark: "revoked" },
  suspended: { mark: "suspended" },
  expired: { expiresAt: midnight("2026-01-08") },
  otherAddress: { allowedCidrs: ["192.0.2.0/24"] },
  otherOrigin: { allowedOrigins: ["https://app.example"] }
}

const names = Object.keys(reservedKeys) as ReadonlyArray<keyof typeof reservedKeys>

const holders: ReadonlyMap<ApiKey, KeyHolder> = new Map(
  names.map((name, index) => [
    reservedKeys[name],
    ownHolder({
      ...testKeyRecord({
        keyId: `key_${String(index).padStart(26, "0")}` as KeyId,
        hash: "" as KeyHash,
        scopes: ["read"],
        createdAt: midnight("2026-01-01"),
        expiresAt: midnight("9999-12-31")
      }),
      ...differences[name]
    })
  ])
)

/** The holder of a reserved key; undefined: an ordinary key, which the store knows or does not. */
export const reservedHolder = (key: ApiKey): KeyHolder | undefined => holders.get(key)
