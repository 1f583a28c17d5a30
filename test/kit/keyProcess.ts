import assert from "node:assert/strict"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withKeyCache, rules } from "../../adapters/postgres/CachedKeys.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as StoredKeys from "../../adapters/postgres/Keys.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import type { KeyHash } from "../../core/key/state.ts"
import { Keys } from "../../core/port/Keys.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { twice } from "./accounts.ts"
import { freshDatabase } from "./postgres.ts"

/** One process of several over a database: its cache, and how often that asked the store. */
export interface KeyProcess {
  readonly keys: Keys["Service"]
  readonly organizations: Organizations["Service"]
  readonly sql: SqlClient.SqlClient
  readonly reads: () => number
  readonly context: Context.Context<Keys | Organizations>
}

/** Starts one; it ends with the scope. `onTheWay` happens between an answer of the store and its arrival. */
export const keyProcess = Effect.fnUntraced(function* (
  connection: Database.Connection,
  given: { readonly by?: typeof rules; readonly onTheWay?: () => Effect.Effect<void> } = {}
) {
  let reads = 0
  const counted = Layer.effect(
    Keys,
    Effect.map(Keys, (store) => ({
      ...store,
      find: (hash: KeyHash) => {
        reads += 1
        const arrival = given.onTheWay?.() ?? Effect.void
        return Effect.tap(store.find(hash), () => arrival)
      }
    }))
  ).pipe(Layer.provide(StoredKeys.layer))
  const context = yield* Layer.build(
    Layer.fresh(Layer.merge(withKeyCache(given.by ?? rules)(counted), PostgresOrganizations.layer)).pipe(
      Layer.provideMerge(Database.layer(connection))
    )
  ).pipe(Effect.orDie)
  return {
    keys: asked(Context.get(context, Keys)),
    organizations: Context.get(context, Organizations),
    sql: Context.get(context, SqlClient.SqlClient),
    reads: () => reads,
    context
  } satisfies KeyProcess
})

/** A find that is run again asks again. */
const asked = (keys: Keys["Service"]): Keys["Service"] => ({
  ...keys,
  find: (hash) => Effect.suspend(() => keys.find(hash))
})

/** The ports of two processes with caches over one fresh database. */
export const cachedAccounts = Layer.unwrap(
  Effect.map(freshDatabase, (connection) => twice(cachedAt(connection), cachedAt(connection)))
)

/** Caches over a PostgreSQL that is not there. */
export const absentCachedAccounts = Layer.suspend(() =>
  cachedAt({ folder: "/nowhere", database: "coverage", username: "coverage" })
)

const cachedAt = (connection: Database.Connection) =>
  Layer.fresh(
    Layer.mergeAll(PostgresLedger.layer, PostgresOrganizations.layer, withKeyCache(rules)(StoredKeys.layer))
  ).pipe(Layer.provide(Database.layer(connection)), Layer.orDie)

/** Waits for what must come by itself, and says how many ms it took; fails when it takes longer. */
export const within = <E>(atMostMs: number, holds: Effect.Effect<boolean, E>) =>
  Effect.gen(function* () {
    const beganMs = yield* Clock.currentTimeMillis
    while (!(yield* holds)) {
      assert.ok((yield* Clock.currentTimeMillis) - beganMs < atMostMs, `not within ${atMostMs} ms`)
      yield* Effect.sleep(1)
    }
    return (yield* Clock.currentTimeMillis) - beganMs
  })

/** Whether a find is answered from memory. */
export const isHit = ({ keys, reads }: KeyProcess, hash: KeyHash) =>
  Effect.suspend(() => {
    const before = reads()
    return Effect.map(keys.find(hash), () => reads() === before)
  })

/** Waits until the process answers from memory. */
export const warm = (process: KeyProcess, hash: KeyHash) => within(10_000, isHit(process, hash))

export const markOf = ({ keys }: KeyProcess, hash: KeyHash) =>
  Effect.map(keys.find(hash), (holder) => holder?.key.mark)
