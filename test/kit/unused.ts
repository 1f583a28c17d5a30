import type { KeyRecord } from "../../core/key/state.ts"

/** A key but for its last use, which an adapter writes down when it likes (core/port/Keys.ts). */
export const unused = (key: KeyRecord | undefined): KeyRecord | undefined =>
  key && { ...key, lastUsedAt: null }

/** The same of what holds a key. */
export const unusedIn = <Holding>(holding: Holding): Holding =>
  hasKey(holding) ? { ...holding, key: unused(holding.key) } : holding

const hasKey = (holding: unknown): holding is { readonly key: KeyRecord } =>
  typeof holding === "object" && holding !== null && "key" in holding
