import type { KeyRecord } from "../../core/key/state.ts"

/** A key that was found before, but for its last use: an adapter writes that down when it likes. */
export const withoutLastUse = (key: KeyRecord | undefined): KeyRecord | undefined =>
  key && { ...key, lastUsedAt: null }

/** The same of what holds a key. */
export const unusedIn = <Holding>(holding: Holding): Holding =>
  hasKey(holding) ? { ...holding, key: withoutLastUse(holding.key) } : holding

const hasKey = (holding: unknown): holding is { readonly key: KeyRecord } =>
  typeof holding === "object" && holding !== null && "key" in holding
