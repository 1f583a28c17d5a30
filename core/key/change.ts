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
