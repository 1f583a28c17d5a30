import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { PublicKey } from "../../core/release/exported.ts"
import type { SigningPair } from "../../core/port/SigningKeys.ts"
import { SigningKeys, SigningKeysUnavailable } from "../../core/port/SigningKeys.ts"
import { atomically, Pool, unavailable } from "./Database.ts"

/** The pairs that sign releases, in PostgreSQL. */
export const layer = Layer.effect(
  SigningKeys,
  Effect.gen(function* () {
    const sql = yield* Pool
    const away = unavailable((fault) => new SigningKeysUnavailable({ fault }))
    return SigningKeys.of({
      list: away(everyPair(sql)),
      offer: ({ after, pair }) => away(Effect.provideService(atomically(offer(sql, pair, after)), Pool, sql))
    })
  })
)

interface PairRow {
  readonly key_id: string
  readonly public_key: string
  readonly sealed: Uint8Array
}

const everyPair = (sql: SqlClient) =>
  Effect.map(sql<PairRow>`select key_id, public_key, sealed from signing_key order by number desc`, (rows) =>
    rows.map(pairOf)
  )

const offer = Effect.fnUntraced(function* (sql: SqlClient, pair: SigningPair, after: string | null) {
  yield* sql`lock table signing_key in share row exclusive mode`.unprepared
  const [newest] = yield* everyPair(sql)
  if (newest !== undefined && newest.keyId !== after) return newest
  yield* sql`insert into signing_key (key_id, public_key, sealed)
    values (${pair.keyId}, ${JSON.stringify(pair.publicKey)}, ${pair.sealed})`
  return pair
})

const pairOf = (row: PairRow): SigningPair => ({
  keyId: row.key_id,
  publicKey: JSON.parse(row.public_key) as PublicKey,
  sealed: row.sealed
})
