import * as Effect from "effect/Effect"
import type { CacheRules, KeyChange, Reading } from "../../core/key/cache.ts"
import { cacheRules, holdersMax, missesMax } from "../../core/key/cache.ts"
import type { KeyHash, KeyHolder } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { KeyUse } from "./lastUsed.ts"

/** An answer that is kept, ready to be given: a hit allocates no effect. */
export interface Kept {
  readonly answer: Effect.Effect<KeyHolder | undefined>
  /** Where a call with this key is noted; absent when the key opens nothing. */
  readonly use: KeyUse | undefined
}

/** What a process remembers of keys, and whether it may be believed. Plain memory: it waits for nothing. */
export interface KeyShelf {
  /** While false, nothing here may be answered from. */
  readonly isTrusted: (nowMs: number) => boolean
  readonly get: (hash: KeyHash, nowMs: number) => Kept | undefined
  readonly generation: () => number
  readonly keep: (
    hash: KeyHash,
    holder: KeyHolder | undefined,
    use: KeyUse | undefined,
    reading: Reading
  ) => void
  readonly forget: (change: KeyChange) => void
  /** A heartbeat sent at `sentMs` was heard, and every change before it has been forgotten. */
  readonly heard: (sentMs: number) => void
  /** Changes may have been missed: nothing is believed until the next heartbeat, and all is forgotten. */
  readonly flush: () => void
  readonly size: () => number
}

/** An empty shelf. The rules are an argument so that the tests can plant a wrong one. */
export const makeKeyShelf = (rules: CacheRules = cacheRules, max = holdersMax): KeyShelf => {
  const memory: Memory = { recent: makeHalf(), older: makeHalf(), misses: new Map(), max: max / 2 }
  let generation = 0
  let heardMs = Number.NEGATIVE_INFINITY
  const empty = () => {
    Object.assign(memory, { recent: makeHalf(), older: makeHalf() })
    memory.misses.clear()
  }
  return {
    isTrusted: (nowMs) => rules.isTrusted({ heardMs, nowMs }),
    get: (hash, nowMs) => {
      const entry = memory.recent.entries.get(hash) ?? promoted(memory, hash)
      if (entry === undefined) return missing(memory, rules, { hash, nowMs })
      return !entry.standing.changed && rules.isFresh({ untilMs: entry.untilMs, nowMs }) ? entry : undefined
    },
    generation: () => generation,
    keep: (hash, holder, use, reading) => {
      if (!rules.isCurrent(reading, { generation })) return
      const untilMs = rules.keptUntilMs(holder, reading)
      if (holder === undefined) return keepMiss(memory, hash, untilMs)
      const { organizationId } = holder.key
      put(memory, hash, { answer: Effect.succeed(holder), use, untilMs, organizationId })
    },
    forget: (change) => {
      generation += 1
      if (change._tag === "Everything") return empty()
      forget(memory, change)
    },
    heard: (sentMs) => {
      heardMs = Math.max(heardMs, sentMs)
    },
    flush: () => {
      generation += 1
      heardMs = Number.NEGATIVE_INFINITY
      empty()
    },
    size: () => memory.recent.entries.size + memory.older.entries.size + memory.misses.size
  }
}

/** One per organization and half: marking it forgets all its keys at once, however many there are. */
interface Standing {
  changed: boolean
}

interface Entry extends Kept {
  readonly untilMs: number
  readonly organizationId: OrganizationId
  standing: Standing
}

interface Half {
  readonly entries: Map<KeyHash, Entry>
  readonly standings: Map<OrganizationId, Standing>
}

/**
 * Two halves instead of a list in order of use: what is asked for moves to the recent half; when that is
 * full, the older one, which nobody asked for since, is dropped whole.
 */
interface Memory {
  recent: Half
  older: Half
  readonly misses: Map<KeyHash, number>
  readonly max: number
}

const makeHalf = (): Half => ({ entries: new Map(), standings: new Map() })

const missed: Kept = { answer: Effect.undefined, use: undefined }

const missing = (
  { misses }: Memory,
  rules: CacheRules,
  { hash, nowMs }: { readonly hash: KeyHash; readonly nowMs: number }
): Kept | undefined => {
  const untilMs = misses.get(hash)
  return untilMs !== undefined && rules.isFresh({ untilMs, nowMs }) ? missed : undefined
}

const promoted = (memory: Memory, hash: KeyHash): Entry | undefined => {
  const entry = memory.older.entries.get(hash)
  if (entry === undefined) return undefined
  memory.older.entries.delete(hash)
  if (entry.standing.changed) return undefined
  return put(memory, hash, entry)
}

const put = (memory: Memory, hash: KeyHash, entry: Omit<Entry, "standing">): Entry => {
  if (memory.recent.entries.size >= memory.max) {
    memory.older = memory.recent
    memory.recent = makeHalf()
  }
  const { entries, standings } = memory.recent
  const standing = standings.get(entry.organizationId) ?? { changed: false }
  standings.set(entry.organizationId, standing)
  const placed = Object.assign(entry, { standing })
  entries.set(hash, placed)
  memory.misses.delete(hash)
  return placed
}

const keepMiss = ({ misses, max }: Memory, hash: KeyHash, untilMs: number): void => {
  if (misses.size >= Math.min(missesMax, max)) misses.clear()
  misses.set(hash, untilMs)
}

const forget = (
  { recent, older, misses }: Memory,
  change: Exclude<KeyChange, { readonly _tag: "Everything" }>
) => {
  for (const { entries, standings } of [recent, older]) {
    if (change._tag === "Key") entries.delete(change.hash)
    else {
      const standing = standings.get(change.organizationId)
      if (standing !== undefined) standing.changed = true
      standings.delete(change.organizationId)
    }
  }
  if (change._tag === "Key") misses.delete(change.hash)
}
