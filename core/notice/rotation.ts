import * as DateTime from "effect/DateTime"
import { keyOverlapMs } from "../key/change.ts"
import type { KeyRecord } from "../key/state.ts"
import { keyPeriod } from "./key.ts"
import type { Notice } from "./Notice.ts"
import { rowOf } from "./noticeRows.ts"

/** Whether the organization's keys must be asked before the notice is told. */
export const isOfKey = ({ kind }: Pick<Notice, "kind">): boolean => rowOf(kind).ladder === "key"

/**
 * A notice of a key that ends, as whoever reads it must hear it: one that was rotated ends because of that,
 * and another takes its place. It is decided as it is told: what a store looks through knows one key at a
 * time.
 */
export const asRotated = <One extends Notice>(notice: One, keys: ReadonlyArray<KeyRecord>): One => {
  const key = keys.find(({ keyId }) => keyId === notice.values["key"])
  const successor = key && successorOf(key, keys)
  if (key === undefined || successor === undefined || notice.period !== periodOf(key)) return notice
  return { ...notice, kind: "key_rotated", values: { ...notice.values, successor: successor.keyId } }
}

/**
 * The key that took another's place: of the same name, and made when the overlap before the other's end
 * began. Nothing else ends a key by the millisecond.
 */
export const successorOf = (key: KeyRecord, keys: ReadonlyArray<KeyRecord>): KeyRecord | undefined => {
  if (key.expiresAt === null) return undefined
  const rotatedAtMs = msOf(key.expiresAt) - keyOverlapMs
  return keys.find((other) => {
    const afterMs = msOf(other.createdAt) - rotatedAtMs
    return other.keyId !== key.keyId && other.name === key.name && afterMs >= 0 && afterMs <= rotatingMs
  })
}

/** Both are written in one transaction, which ends well within this. */
const rotatingMs = 15_000

const periodOf = ({ expiresAt, keyId }: KeyRecord): string | undefined =>
  expiresAt === null ? undefined : keyPeriod({ keyId, expiresAtMs: msOf(expiresAt) })

const msOf = (iso: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(iso))
