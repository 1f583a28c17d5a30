import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { layer as organizationsLayer } from "../../adapters/postgres/Organizations.ts"
import { layer as keysLayer } from "../../adapters/postgres/Keys.ts"
import { flushMax, makeLastUsed } from "../../adapters/postgres/lastUsed.ts"
import type { KeyHolder, KeyRecord } from "../../core/key/state.ts"
import { Keys } from "../../core/port/Keys.ts"
import { newAccount, isoTime } from "../kit/accounts.ts"
import { keyProcess, warm } from "../kit/keyProcess.ts"
import { keyOf } from "../kit/keysLaws.ts"
import { freshDatabase, postgresLayer } from "../kit/postgres.ts"

const stored = Layer.fresh(Layer.mergeAll(keysLayer, organizationsLayer)).pipe(
  Layer.provideMerge(postgresLayer)
)

const holderOf = (key: KeyRecord): KeyHolder => ({
  key,
  pack: "credits",
  organizationSuspended: false,
  concurrentMax: null
})

const issued = Effect.fnUntraced(function* (record: Partial<KeyRecord> = {}) {
  const { organizationId } = yield* newAccount({ pack: "credits" })
  const key = { ...keyOf(organizationId), expiresAt: null, ...record }
  yield* (yield* Keys).issue(key)
  return key
})

/** When the key was last used as the store has it, ms before now. */
const agoMs = Effect.fnUntraced(function* ({ keyId, organizationId }: KeyRecord) {
  const found = (yield* (yield* Keys).list(organizationId)).find((key) => key.keyId === keyId)
  const at = found?.lastUsedAt ?? null
  return at === null ? null : (yield* Clock.currentTimeMillis) - DateTime.makeUnsafe(at).epochMilliseconds
})

describe("last_used_at (contract §1, Keys: at most a minute stale)", () => {
  it.live("is the last use of many, written once, however many processes saw the key used", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [here, there] = [yield* makeLastUsed(sql), yield* makeLastUsed(sql)]
      const key = yield* issued()
      const nowMs = yield* Clock.currentTimeMillis
      for (const [used, earlierMs] of [
        [here, 9_000],
        [here, 4_000],
        [there, 2_000]
      ] as const) {
        const use = used.of(holderOf(key), nowMs)
        if (use !== undefined) used.note(use, performance.now() - earlierMs)
      }
      yield* here.flush
      expect(Math.abs(((yield* agoMs(key)) ?? 0) - 4_000)).toBeLessThan(1_000)
      yield* there.flush
      expect(Math.abs(((yield* agoMs(key)) ?? 0) - 4_000)).toBeLessThan(1_000)
    }).pipe(Effect.provide(stored))
  )

  it.live("moves on when the row is twenty seconds old, and never back", () =>
    Effect.gen(function* () {
      const used = yield* makeLastUsed(yield* SqlClient.SqlClient)
      const key = yield* issued()
      const use = used.of(holderOf(key), yield* Clock.currentTimeMillis)
      for (const [earlierMs, seenMs] of [
        [60_000, 60_000],
        [41_000, 60_000],
        [39_000, 39_000],
        [50_000, 39_000]
      ] as const) {
        if (use !== undefined) used.note(use, performance.now() - earlierMs)
        yield* used.flush
        expect(Math.abs(((yield* agoMs(key)) ?? 0) - seenMs)).toBeLessThan(900)
      }
    }).pipe(Effect.provide(stored))
  )

  it.live(
    "is not touched by a key that opens nothing: suspended, revoked, expired, or its organization suspended",
    () =>
      Effect.gen(function* () {
        const used = yield* makeLastUsed(yield* SqlClient.SqlClient)
        const nowMs = yield* Clock.currentTimeMillis
        const key = yield* issued()
        const shut: ReadonlyArray<KeyHolder> = [
          holderOf({ ...key, mark: "suspended" }),
          holderOf({ ...key, mark: "revoked" }),
          holderOf({ ...key, expiresAt: isoTime(nowMs) }),
          { ...holderOf(key), organizationSuspended: true }
        ]
        expect(shut.map((holder) => used.of(holder, nowMs))).toEqual(shut.map(() => undefined))
      }).pipe(Effect.provide(stored))
  )

  it.live("stays what it was when the key is tried again after its expiry", () =>
    Effect.gen(function* () {
      const used = yield* makeLastUsed(yield* SqlClient.SqlClient)
      const nowMs = yield* Clock.currentTimeMillis
      const key = yield* issued({ expiresAt: isoTime(nowMs + 1_000) })
      const use = used.of(holderOf(key), nowMs)
      const startMs = performance.now()
      if (use !== undefined) for (const laterMs of [0, 1_500, 2_000]) used.note(use, startMs + laterMs)
      yield* used.flush
      expect(Math.abs((yield* agoMs(key)) ?? Infinity)).toBeLessThan(900)
    }).pipe(Effect.provide(stored))
  )

  it.live("nor does a key count that was given an end while its use waited to be written", () =>
    Effect.gen(function* () {
      const used = yield* makeLastUsed(yield* SqlClient.SqlClient)
      const nowMs = yield* Clock.currentTimeMillis
      const key = yield* issued()
      const before = used.of(holderOf(key), nowMs)
      if (before !== undefined) used.note(before, performance.now())
      const after = used.of(holderOf({ ...key, expiresAt: isoTime(nowMs + 1_000) }), nowMs)
      if (after !== undefined) used.note(after, performance.now() + 2_000)
      yield* used.flush
      expect(Math.abs((yield* agoMs(key)) ?? Infinity)).toBeLessThan(900)
    }).pipe(Effect.provide(stored))
  )

  it.live("does not go beyond the expiry of a key that a cache still held", () =>
    Effect.gen(function* () {
      const used = yield* makeLastUsed(yield* SqlClient.SqlClient)
      const nowMs = yield* Clock.currentTimeMillis
      const key = yield* issued({ expiresAt: isoTime(nowMs - 1_000) })
      const use = used.of(holderOf(key), nowMs - 5_000)
      if (use !== undefined) used.note(use, performance.now())
      yield* used.flush
      expect([use?.keyId, yield* agoMs(key)]).toEqual([key.keyId, null])
    }).pipe(Effect.provide(stored))
  )

  it.live("is written for more keys than one statement takes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const used = yield* makeLastUsed(sql)
      const key = yield* issued()
      const count = flushMax + 500
      yield* sql`insert into api_key select 'key_m' || i, 'hash_m' || i, organization_id, name, mode, scopes, mark,
        reason, created_at, expires_at, last_used_at, allowed_cidrs, allowed_origins, release_id
        from api_key, generate_series(1, ${count}::integer) as i where key_id = ${key.keyId}`
      const keys = yield* (yield* Keys).list(key.organizationId)
      for (const each of keys) {
        const use = used.of(holderOf(each), yield* Clock.currentTimeMillis)
        if (use !== undefined) used.note(use, performance.now())
      }
      yield* used.flush
      const after = yield* (yield* Keys).list(key.organizationId)
      expect(after.filter(({ lastUsedAt }) => lastUsedAt !== null)).toHaveLength(count + 1)
    }).pipe(Effect.provide(stored))
  )

  it.live("stays due while it cannot be written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const used = yield* makeLastUsed(sql)
      const key = yield* issued()
      const use = used.of(holderOf(key), yield* Clock.currentTimeMillis)
      if (use !== undefined) used.note(use, performance.now())
      yield* sql`alter table api_key rename to api_key_away`
      yield* used.flush
      yield* sql`alter table api_key_away rename to api_key`
      expect(yield* agoMs(key)).toBeNull()
      yield* used.flush
      expect(yield* agoMs(key)).not.toBeNull()
    }).pipe(Effect.provide(stored))
  )

  it.effect("is written every twenty seconds", () =>
    Effect.gen(function* () {
      const used = yield* makeLastUsed(yield* SqlClient.SqlClient)
      const key = yield* issued()
      const use = used.of(holderOf(key), 0)
      if (use !== undefined) used.note(use, performance.now())
      yield* TestClock.adjust("19 seconds")
      expect(use?.isDue).toBe(true)
      yield* TestClock.adjust("1 second")
      expect(use?.isDue).toBe(false)
    }).pipe(Effect.provide(stored))
  )

  it.live("is noted by finds, kept in memory or not, and written at shutdown at the latest", () =>
    Effect.gen(function* () {
      const connection = yield* freshDatabase
      const here = yield* keyProcess(connection)
      const scope = yield* Scope.make()
      const there = yield* Scope.provide(keyProcess(connection), scope)
      const [hit, read, untouched] = yield* Effect.forEach([1, 2, 3], () => issued()).pipe(
        Effect.provide(here.context)
      )
      if (hit === undefined || read === undefined || untouched === undefined) return expect.fail()
      yield* warm(there, hit.hash)
      yield* there.keys.find(read.hash)
      // Between the read that filled the cache and the hit, so that only the hit can be the last use.
      yield* Effect.sleep("500 millis")
      const hitMs = yield* Clock.currentTimeMillis
      yield* there.keys.find(hit.hash)
      yield* Scope.close(scope, Exit.void)
      const sinceHitMs = (yield* agoMs(hit).pipe(Effect.provide(here.context))) ?? Number.POSITIVE_INFINITY
      expect((yield* Clock.currentTimeMillis) - sinceHitMs).toBeGreaterThan(hitMs - 100)
      const seen = yield* Effect.forEach([hit, read, untouched], agoMs).pipe(Effect.provide(here.context))
      expect(seen.map((ms) => ms !== null && ms < 5_000)).toEqual([true, true, false])
    })
  )
})
