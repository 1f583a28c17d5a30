import assert from "node:assert/strict"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { rules } from "../../adapters/postgres/CachedKeys.ts"
import type { Connection } from "../../adapters/postgres/Database.ts"
import { missMsMax } from "../../core/key/cache.ts"
import { newAccount } from "./accounts.ts"
import { keyOf } from "./keysLaws.ts"
import type { KeyProcess } from "./keyProcess.ts"
import { isHit, keyProcess, markOf, warm, within } from "./keyProcess.ts"
import { mutedWay } from "./mutedWay.ts"
import { freshDatabase } from "./postgres.ts"

/** What a cache of keys shows of revocation, whatever happens to its connection. */
export interface KeyCacheCheck {
  readonly says: string
  readonly check: (by: typeof rules) => Effect.Effect<void, unknown, Scope.Scope>
}

/** Contract §1, Keys: revocation and suspension take effect everywhere within one second. */
const everywhereMs = 1_000

export const keyCacheChecks: ReadonlyArray<KeyCacheCheck> = [
  {
    says: "a key revoked by one process is revoked in another within a second",
    check: Effect.fnUntraced(function* (by) {
      const { here, there } = yield* two(by)
      for (let round = 0; round < 20; round++) {
        const key = yield* keyIn(here)
        yield* warm(there, key.hash)
        yield* revoke(here, key)
        yield* within(everywhereMs, isRevoked(there, key))
      }
    })
  },
  {
    says: "an organization suspended by one process is suspended in another within a second, with all its keys",
    check: Effect.fnUntraced(function* (by) {
      const { here, there } = yield* two(by)
      const one = yield* keyIn(here)
      const other = keyOf(one.organizationId)
      yield* here.keys.issue(other)
      const keys = [one, other]
      for (const { hash } of keys) yield* warm(there, hash)
      const stray = yield* keyIn(here)
      yield* warm(there, stray.hash)
      const change = { _tag: "Suspend", reason: null } as const
      yield* here.organizations.change({ organizationId: one.organizationId, change })
      for (const { hash } of keys) {
        const suspended = Effect.map(
          there.keys.find(hash),
          (holder) => holder?.organizationSuspended === true
        )
        yield* within(everywhereMs, suspended)
      }
      assert.equal((yield* there.keys.find(stray.hash))?.organizationSuspended, false)
    })
  },
  {
    says: "what was read before a revocation and arrives after it is not kept",
    check: Effect.fnUntraced(function* (by) {
      const { there, key, early, release } = yield* overtaken(by)
      yield* release
      assert.equal(yield* Fiber.join(early), "valid")
      assert.equal(yield* markOf(there, key.hash), "revoked")
    })
  },
  {
    says: "a call after a revocation does not share a read that began before it",
    check: Effect.fnUntraced(function* (by) {
      const { there, key } = yield* overtaken(by)
      assert.equal(yield* Effect.timeout(markOf(there, key.hash), everywhereMs), "revoked")
    })
  },
  {
    says: "a cache whose connection has gone silent is not believed for longer than half a second",
    check: Effect.fnUntraced(function* (by) {
      const { here, there, carry } = yield* twoApart(by)
      const key = yield* keyIn(here)
      yield* warm(there, key.hash)
      yield* carry("silent")
      yield* revoke(here, key)
      yield* within(everywhereMs, isRevoked(there, key))
      yield* carry("through")
      yield* warm(there, key.hash)
    })
  },
  {
    says: "a cache that cannot listen asks the store each time, and sees a revocation at once",
    check: Effect.fnUntraced(function* (by) {
      const { here, there, carry } = yield* twoApart(by)
      const key = yield* keyIn(here)
      yield* warm(there, key.hash)
      yield* carry("refused")
      yield* within(
        everywhereMs,
        Effect.map(isHit(there, key.hash), (hit) => !hit)
      )
      yield* revoke(here, key)
      assert.equal(yield* markOf(there, key.hash), "revoked")
      assert.equal(yield* isHit(there, key.hash), false)
      yield* carry("through")
      yield* warm(there, key.hash)
    })
  },
  {
    says: "a listener that PostgreSQL ends is back by itself, and what was revoked meanwhile is revoked",
    check: Effect.fnUntraced(function* (by) {
      const { here, there } = yield* two(by)
      for (let round = 0; round < 5; round++) {
        const key = yield* keyIn(here)
        yield* warm(there, key.hash)
        yield* here.sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like '% listener' and datname = current_database()`
        yield* revoke(here, key)
        yield* within(everywhereMs, isRevoked(there, key))
        yield* warm(there, key.hash)
      }
    })
  },
  {
    says: "an unknown key is asked for again after a second, though nobody was told of it",
    check: Effect.fnUntraced(function* (by) {
      const { here, there } = yield* two(by)
      const { keyId, organizationId } = yield* keyIn(here)
      const { hash } = keyOf(organizationId)
      const find = there.keys.find(hash)
      yield* warm(there, hash)
      yield* here.sql`insert into api_key select 'key_stranger', ${hash}, organization_id, name, mode, scopes, mark,
        reason, created_at, expires_at, last_used_at, allowed_cidrs, allowed_origins, release_id
        from api_key where key_id = ${keyId}`
      assert.equal(yield* find, undefined)
      yield* within(
        missMsMax + 500,
        Effect.map(find, (holder) => holder !== undefined)
      )
    })
  },
  {
    says: "fifty calls with one key that is not remembered ask the store once",
    check: Effect.fnUntraced(function* (by) {
      const { here, there } = yield* two(by)
      const [key, other] = [yield* keyIn(here), yield* keyIn(here)]
      yield* warm(there, other.hash)
      const before = there.reads()
      const found = yield* Effect.forEach(Array.from({ length: 50 }), () => markOf(there, key.hash), {
        concurrency: "unbounded"
      })
      assert.deepEqual(new Set(found), new Set(["valid"]))
      assert.equal(there.reads() - before, 1)
    })
  }
]

type IssuedKey = ReturnType<typeof keyOf>

const two = Effect.fnUntraced(function* (by: typeof rules, onTheWay?: () => Effect.Effect<void>) {
  const connection = yield* freshDatabase
  return {
    here: yield* keyProcess(connection),
    there: yield* keyProcess(connection, { by, ...(onTheWay && { onTheWay }) })
  }
})

/** As `two`; the other's listener goes its own way, which can be closed. */
const twoApart = Effect.fnUntraced(function* (by: typeof rules) {
  const connection: Connection = yield* freshDatabase
  if (!("folder" in connection)) return yield* Effect.die("the run's PostgreSQL has no socket in a folder")
  const { way, carry } = yield* mutedWay(connection, " listener")
  return { here: yield* keyProcess(connection), there: yield* keyProcess(way, { by }), carry }
})

/** A new organization's key. */
export const keyIn = Effect.fnUntraced(function* ({ keys, context }: KeyProcess) {
  const key = keyOf((yield* Effect.provide(newAccount({ pack: "credits" }), context)).organizationId)
  yield* keys.issue(key)
  return key
})

/** Revokes it as an operator does. */
export const revoke = ({ keys }: KeyProcess, { keyId }: IssuedKey) =>
  keys.change({ keyId, action: "revoke", reason: null })

/** Whether the process takes it for revoked. */
export const isRevoked = (process: KeyProcess, { hash }: IssuedKey) =>
  Effect.map(markOf(process, hash), (mark) => mark === "revoked")

/** A process that has heard of a revocation, while a read that began before it has not arrived. */
const overtaken = Effect.fnUntraced(function* (by: typeof rules) {
  const { onTheWay, hold, isHeld, release } = yield* heldAnswer
  const { here, there } = yield* two(by, onTheWay)
  const [key, other] = [yield* keyIn(here), yield* keyIn(here)]
  yield* warm(there, other.hash)
  yield* hold
  const early = yield* Effect.forkChild(markOf(there, key.hash))
  yield* isHeld
  yield* revoke(here, key)
  // PostgreSQL tells changes in order: who has heard of the second has heard of the first.
  yield* revoke(here, other)
  yield* within(everywhereMs, isRevoked(there, other))
  return { there, key, early, release }
})

/** Keeps the next answer of the store from arriving until it is let go; the ones after it pass. */
const heldAnswer = Effect.gen(function* () {
  const [reached, letGo] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  let isArmed = false
  const onTheWay = () => {
    if (!isArmed) return Effect.void
    isArmed = false
    return Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(letGo))
  }
  return {
    onTheWay,
    hold: Effect.sync(() => {
      isArmed = true
    }),
    isHeld: Deferred.await(reached),
    release: Deferred.succeed(letGo, undefined)
  }
})
