import * as DateTime from "effect/DateTime"
import type { KeyStatus } from "../key/state.ts"
import type { Notice } from "./Notice.ts"
import type { NoticeKind } from "./noticeRows.ts"
import { minute, oneLine } from "./template.ts"

/** A key as far as its expiry goes. */
export interface KeyFacts {
  readonly keyId: string
  readonly name: string
  readonly mark: KeyStatus
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/** How long before its expiry a key is told of. */
export const keyLeads = [
  { kind: "key_expires_7d", leadMs: 7 * 86_400_000 },
  { kind: "key_expires_1d", leadMs: 86_400_000 }
] as const satisfies ReadonlyArray<{ readonly kind: NoticeKind; readonly leadMs: number }>

/** Whoever makes a key for three days knows that it ends soon: only a lead that it outlives is told. */
export const reachedByKey = (key: KeyFacts, nowMs: number): ReadonlyArray<Notice> => {
  if (key.mark !== "valid" || nowMs >= key.expiresAtMs) return []
  const values = { name: oneLine(key.name), key: key.keyId, expires: minute(key.expiresAtMs) }
  const period = keyPeriod(key)
  return keyLeads
    .filter(({ leadMs }) => {
      const beginsMs = key.expiresAtMs - leadMs
      return key.createdAtMs <= beginsMs && beginsMs <= nowMs
    })
    .map(({ kind }) => ({ kind, period, values }))
}

/** A key whose expiry is moved is told of again. */
export const keyPeriod = (key: Pick<KeyFacts, "keyId" | "expiresAtMs">): string =>
  `${key.keyId}:${DateTime.formatIso(DateTime.makeUnsafe(key.expiresAtMs))}`
