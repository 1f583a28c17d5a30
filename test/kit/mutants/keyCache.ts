import { rules } from "../../../adapters/postgres/CachedKeys.ts"
import type { CacheRules } from "../../../core/key/cache.ts"

/** A cache of keys with one planted fault, and the check that must find it (`KeyCacheCheck.says`). */
export interface KeyCacheMutant {
  readonly says: string
  readonly kills: string
  readonly by: typeof rules
}

export const keyCacheMutants: ReadonlyArray<KeyCacheMutant> = [
  {
    says: "keeps what was read before a change",
    kills: "what was read before a revocation and arrives after it is not kept",
    by: { ...rules, isCurrent: () => true }
  },
  {
    says: "shares what was read before a change",
    kills: "a call after a revocation does not share a read that began before it",
    by: { ...rules, isCurrent: () => true }
  },
  {
    says: "believes itself without a heartbeat",
    kills: "a cache whose connection has gone silent is not believed for longer than half a second",
    by: { ...rules, isTrusted: () => true }
  },
  {
    says: "believes a heartbeat for two seconds",
    kills: "a cache whose connection has gone silent is not believed for longer than half a second",
    by: { ...rules, isTrusted: ({ heartbeatMs, nowMs }) => nowMs - heartbeatMs < 2_000 }
  },
  {
    says: "does not listen to changes of keys",
    kills: "a key revoked by one process is revoked in another within a second",
    by: { ...rules, keyChangeOf: deaf("key:") }
  },
  {
    says: "does not listen to changes of organizations",
    kills:
      "an organization suspended by one process is suspended in another within a second, with all its keys",
    by: { ...rules, keyChangeOf: deaf("org:") }
  },
  {
    says: "believes no connection that came back",
    kills: "a listener that PostgreSQL ends is back by itself, and what was revoked meanwhile is revoked",
    by: { ...rules, isTrusted: onlyOnce() }
  },
  {
    says: "believes itself while it cannot listen",
    kills: "a cache that cannot listen asks the store each time, and sees a revocation at once",
    by: { ...rules, isTrusted: () => true }
  },
  {
    says: "lets every call read for itself",
    kills: "fifty calls with one key that is not remembered ask the store once",
    by: { ...rules, isCurrent: () => false }
  },
  {
    says: "remembers unknown keys for half a minute",
    kills: "an unknown key is asked for again after a second, though nobody was told of it",
    by: { ...rules, keptUntilMs: (_, { beganMs }) => beganMs + 30_000 }
  }
]

/** Rules of the shelf alone, spoiled. */
export const keptKeyMutants: ReadonlyArray<{
  readonly says: string
  readonly spoiled: Partial<CacheRules>
}> = [
  { says: "keeps what was read before a change", spoiled: { isCurrent: () => true } },
  { says: "believes itself without heartbeats", spoiled: { isTrusted: () => true } },
  {
    says: "believes a heartbeat a millisecond too long",
    spoiled: { isTrusted: ({ heartbeatMs, nowMs }) => nowMs - heartbeatMs <= 500 }
  }
]

/** Takes the first silence for the end. */
function onlyOnce(): typeof rules.isTrusted {
  let seen: "nothing" | "heartbeats" | "silence" = "nothing"
  return (moment) => {
    const isTrusted = rules.isTrusted(moment)
    if (seen === "nothing" && isTrusted) seen = "heartbeats"
    if (seen === "heartbeats" && !isTrusted) seen = "silence"
    return isTrusted && seen !== "silence"
  }
}

/** Takes news of the one kind for news of nobody. */
function deaf(kind: string): typeof rules.keyChangeOf {
  return (payload) => rules.keyChangeOf(payload.startsWith(kind) ? "key:nobody" : payload)
}
