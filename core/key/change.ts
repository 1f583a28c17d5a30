import { certifiedScope } from "../operation/scope.ts"
import type { ReleaseId } from "../release/ReleaseId.ts"
import type { IsoTime } from "../coverage/date.ts"
import type { KeyAction, KeyRecord } from "./state.ts"
import { keyTransitions } from "./state.ts"

/**
 * A key after an operator's action (§3.2). The reason belongs to the mark it brought: it goes when a
 * suspension is lifted, and a revoked key keeps the reason it was revoked for.
 */
export const changeKey = (
  key: KeyRecord,
  change: {
    readonly action: KeyAction
    readonly reason: string | null
  }
): KeyRecord => {
  const mark = keyTransitions[key.mark][change.action]
  if (key.mark === "revoked") return key
  return { ...key, mark, reason: mark === "valid" ? null : change.reason }
}

/** How long a key that was rotated still works beside the one that takes its place. */
export const keyOverlapMs = 24 * 3_600_000

/** A key of which another takes the place: it ends at this instant, or earlier if it would have anyway. */
export const retireKey = (key: KeyRecord, until: IsoTime): KeyRecord =>
  key.expiresAt !== null && key.expiresAt <= until ? key : { ...key, expiresAt: until }

/** What came of giving a key an end: whether it would have ended later or not at all. */
export interface Retirement {
  readonly key: KeyRecord
  readonly isNews: boolean
}

/** What came of assigning a release to a key. */
export type ReleaseAssignment =
  | { readonly _tag: "Assigned"; readonly key: KeyRecord }
  /** A key of other scopes could read no release, and a test key has that of the fixtures. */
  | { readonly _tag: "Unfit"; readonly because: "scope" | "test_key" }

/** Makes the release the one that the key reads; one that it read before it reads no more. */
export const assignRelease = (key: KeyRecord, releaseId: ReleaseId): ReleaseAssignment => {
  if (key.mode === "test") return { _tag: "Unfit", because: "test_key" }
  return key.scopes.includes(certifiedScope)
    ? { _tag: "Assigned", key: { ...key, releaseId } }
    : { _tag: "Unfit", because: "scope" }
}
