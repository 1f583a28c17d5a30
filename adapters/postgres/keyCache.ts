import * as Effect from "effect/Effect"
import type { CacheRules, KeyChange, StoreRead } from "../../core/key/cache.ts"
import { cacheRules, holdersMax, missesMax } from "../../core/key/cache.ts"
import type { KeyHash, KeyHolder } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { makeCache } from "../../core/call/cache.ts"
import type { KeyUse } from "./lastUsed.ts"

/** An answer that is kept, ready to be given: a hit allocates no effect. */
export interface CachedKey {
  readonly answer: Effect.Effect<KeyHolder | undefined>
  /** Where a call with this key is noted; absent when the key opens nothing. */
  readonly use: KeyUse | undefined
}

/** What a process remembers of keys, and whether it may be believed. Plain memory: it waits for nothing. */
export interface KeyCache {
  /** While false, nothing here may be answered from. */
  readonly isTrusted: (nowMs: number) => boolean
  readonly get: (hash: KeyHash, nowMs: number) => CachedKey | undefined
  readonly generation: () => number
  readonly keep: (
    hash: KeyHash,
    holder: KeyHolder | undefined,
    use: KeyUse | undefined,
    reading: StoreRead
  ) => void
  readonly forget: (change: KeyChange) => void
  /** A heartbeat sent at `sentMs` was heard, and every change before it has been forgotten. */
  readonly onHeartbeat: (sentMs: number) => void
  /** Changes may have been missed: nothing is believed until the next heartbeat, and all is forgotten. */
  readonly flush: () => void
  readonly size: () => number
}

/** An empty cache. The rules are an argument so that the tests can plant a wrong one. */
export const makeKeyCache = (rules: CacheRules = cacheRules, max = holdersMax): KeyCache => {
  const holders = makeCache<KeyHash, Entry>({ weightMax: max })
  const misses = makeCache<KeyHash, number>({ weightMax: Math.min(missesMax, max) })
  /** Organizations that changed, and in which generation: what was kept before it is forgotten. */
  const changed = new Map<OrganizationId, number>()
  let generation = 0
  let heartbeatMs = Number.NEGATIVE_INFINITY
  const empty = () => {
    for (const each of [holders, misses, changed]) each.clear()
  }
  const found = (hash: KeyHash): Entry | undefined => {
    const entry = holders.get(hash)
    if (entry === undefined || changed.size === 0) return entry
    return (changed.get(entry.organizationId) ?? 0) > entry.generation ? undefined : entry
  }
  return {
    isTrusted: (nowMs) => rules.isTrusted({ heartbeatMs, nowMs }),
    get: (hash, nowMs) => {
      const entry = found(hash)
      const untilMs = entry?.untilMs ?? misses.get(hash)
      return untilMs !== undefined && rules.isFresh({ untilMs, nowMs }) ? (entry ?? missed) : undefined
    },
    generation: () => generation,
    keep: (hash, holder, use, reading) => {
      if (!rules.isCurrent(reading, { generation })) return
      const untilMs = rules.keptUntilMs(holder, reading)
      if (holder === undefined) return misses.set(hash, untilMs)
      const { organizationId } = holder.key
      holders.set(hash, { answer: Effect.succeed(holder), use, untilMs, organizationId, generation })
      misses.delete(hash)
    },
    forget: (change) => {
      generation += 1
      if (change._tag === "Everything" || changed.size >= changesMax) return empty()
      if (change._tag === "Organization") return void changed.set(change.organizationId, generation)
      holders.delete(change.hash)
      misses.delete(change.hash)
    },
    onHeartbeat: (sentMs) => {
      heartbeatMs = Math.max(heartbeatMs, sentMs)
    },
    flush: () => {
      generation += 1
      heartbeatMs = Number.NEGATIVE_INFINITY
      empty()
    },
    size: () => holders.weight() + misses.weight()
  }
}

/** After so many changed organizations all is forgotten once, which costs a read of each key in use. */
const changesMax = 10_000

interface Entry extends CachedKey {
  readonly untilMs: number
  readonly organizationId: OrganizationId
  readonly generation: number
}

const missed: CachedKey = { answer: Effect.undefined, use: undefined }
