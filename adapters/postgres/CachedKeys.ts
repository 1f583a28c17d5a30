import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { StoreRead } from "../../core/key/cache.ts"
import { cacheRules } from "../../core/key/cache.ts"
import type { KeyHash, KeyHolder } from "../../core/key/state.ts"
import { Keys } from "../../core/port/Keys.ts"
import type { KeysUnavailable } from "../../core/port/Keys.ts"
import { ListenConfig } from "./Database.ts"
import { keyChangeOf } from "./keyChanged.ts"
import { listenForKeys } from "./keyListener.ts"
import * as StoredKeys from "./Keys.ts"
import type { KeyCache } from "./keyCache.ts"
import { makeKeyCache } from "./keyCache.ts"
import type { LastUsed } from "./lastUsed.ts"
import { makeLastUsed } from "./lastUsed.ts"

/** How many different keys are read at once with their answers shared; any more are read call by call. */
export const readingsMax = 10_000

/** What the cache decides by; the tests plant wrong ones. */
export const rules = { ...cacheRules, keyChangeOf }

/**
 * Puts a cache before `find` of any store of keys in PostgreSQL: found keys for at most 30 s, unknown ones
 * for one second. It opens one connection of its own, to listen for changes, and is believed only while it
 * hears its own heartbeats; at all other times every call asks the store. A change made through it is seen
 * by its very next `find`, a change made elsewhere usually within milliseconds and always within one second.
 *
 * A `find` of a key that is valid is a use of it: `last_used_at` is written in bulk, at most a minute later.
 */
export const withKeyCache =
  (by: typeof rules) =>
  <E, R>(keys: Layer.Layer<Keys, E, R>) =>
    Layer.effect(
      Keys,
      Effect.gen(function* () {
        const store = yield* Keys
        const config = yield* ListenConfig
        const used = yield* makeLastUsed(yield* SqlClient.SqlClient)
        const cache = makeKeyCache(by)
        const asking = makeBatchedRead()
        yield* Effect.forkScoped(
          listenForKeys(config, {
            changed: (payload) => cache.forget(by.keyChangeOf(payload)),
            onHeartbeat: cache.onHeartbeat,
            ended: cache.flush,
            asked: asking.wait
          })
        )
        const forget = (hash: KeyHash) => Effect.sync(() => cache.forget({ _tag: "Key", hash }))
        return Keys.of({
          find: findSql({ store, cache, used, asking, isCurrent: by.isCurrent }),
          issue: (key) => Effect.ensuring(store.issue(key), forget(key.hash)),
          change: (input) =>
            Effect.tap(store.change(input), (key) => (key === undefined ? Effect.void : forget(key.hash))),
          assign: (input) =>
            Effect.tap(store.assign(input), (assigned) =>
              assigned?._tag === "Assigned" ? forget(assigned.key.hash) : Effect.void
            ),
          retire: (input) =>
            Effect.tap(store.retire(input), (retired) =>
              retired === undefined ? Effect.void : forget(retired.key.hash)
            ),
          list: store.list
        })
      })
    ).pipe(Layer.provide(keys))

/** Keys in PostgreSQL with the cache before them. */
export const layer = withKeyCache(rules)(StoredKeys.layer)

interface Parts {
  readonly store: Keys["Service"]
  readonly cache: KeyCache
  readonly used: LastUsed
  readonly asking: ReturnType<typeof makeBatchedRead>
  readonly isCurrent: typeof rules.isCurrent
}

/** A cache that nobody asked for so long rests, and the call that ends it reads the store. */
const restsAfterMs = 10_000

/** Whether somebody asks. */
const makeBatchedRead = () => {
  const asked = Latch.makeUnsafe(false)
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    note: (nowMs: number): void => {
      lastMs = nowMs
      asked.openUnsafe()
    },
    wait: (): Effect.Effect<void> | undefined => {
      if (performance.now() - lastMs < restsAfterMs) return undefined
      asked.closeUnsafe()
      return asked.await
    }
  }
}

interface Shared extends StoreRead {
  readonly answer: Deferred.Deferred<KeyHolder | undefined, KeysUnavailable>
}

const findSql = ({ store, cache, used, asking, isCurrent }: Parts): Keys["Service"]["find"] => {
  const readings = new Map<KeyHash, Shared>()
  const read = (hash: KeyHash, shared?: Shared) =>
    Effect.map(Effect.zip(store.find(hash), Clock.currentTimeMillis), ([holder, wallMs]) => {
      const use = holder && used.of(holder, wallMs)
      if (use !== undefined) used.note(use, performance.now())
      if (shared !== undefined) cache.keep(hash, holder, use, shared)
      return holder
    })
  /** Detached, so that a caller who leaves takes nobody's answer along. */
  const begin = (hash: KeyHash, shared: Shared) => {
    readings.set(hash, shared)
    const settle = Effect.onExit(read(hash, shared), (exit) =>
      Effect.sync(() => {
        if (readings.get(hash) === shared) readings.delete(hash)
        Deferred.doneUnsafe(shared.answer, exit)
      })
    )
    return Effect.andThen(Effect.forkDetach(settle), Deferred.await(shared.answer))
  }
  const readOnce = (hash: KeyHash, beganMs: number) =>
    Effect.clockWith((clock) => {
      const generation = cache.generation()
      const reading = readings.get(hash)
      if (reading !== undefined && isCurrent(reading, { generation })) return Deferred.await(reading.answer)
      if (readings.size >= readingsMax) return read(hash)
      const wallMs = clock.currentTimeMillisUnsafe()
      return begin(hash, { generation, beganMs, wallMs, answer: Deferred.makeUnsafe() })
    })
  // Looked at when it is asked, so that what is kept is there without a wait.
  return (hash) => {
    const nowMs = performance.now()
    asking.note(nowMs)
    if (!cache.isTrusted(nowMs)) return read(hash)
    const kept = cache.get(hash, nowMs)
    if (kept === undefined) return readOnce(hash, nowMs)
    if (kept.use !== undefined) used.note(kept.use, nowMs)
    return kept.answer
  }
}
