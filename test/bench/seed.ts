import { createHash } from "node:crypto"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { Connection } from "../../adapters/postgres/Database.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import * as StoredSnapshots from "../../adapters/postgres/Snapshots.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { seedLibrary } from "../http/library.ts"
import { documentOf, importedAt, snapshotOf } from "../kit/library.ts"
import { policies } from "./sizes.ts"

/** The key of the bench's organization of this number: a legacy key, which has no checksum to compute. */
export const keyOf = (number: number): string => `vrt_bench_${number}`

/** The one endpoint of that organization. */
export const endpointOf = (number: number): number => number + 1

/** The policy of this number. */
export const policyOf = (number: number): string => `L${40_000 + number}`

const batch = 10_000

/**
 * A migrated database with so many organizations of the Scale pack, each with a key and a webhook endpoint,
 * and a small library.
 */
export const seed = (connection: Connection, organizations: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* migrate(migrations).pipe(Effect.provide(Database.layer(connection)))
      const sql = yield* PgClient.make({ ...(yield* Database.address(connection)), maxConnections: 1 }).pipe(
        Effect.provide(Reactivity.layer)
      )
      for (let first = 0; first < organizations; first += batch) {
        const count = Math.min(batch, organizations - first)
        const numbers = Array.from({ length: count }, (_, index) => first + index)
        const hashes = numbers.map((number) => createHash("sha256").update(keyOf(number)).digest("hex"))
        const ids = numbers.map((number) => `org_bench${String(number).padStart(9, "0")}`)
        yield* insert(sql, ids, hashes)
        yield* sql.unsafe(
          `insert into webhook_endpoint (endpoint_id, organization_id, url, events, status, failure_count, secrets,
            created_at, updated_at)
          overriding system value
          select endpoint_id, id, 'https://ok.example.com/in', array['*'], 'active', 0, '[]', now(), now()
          from unnest($1::int8[], $2::text[]) as row(endpoint_id, id) on conflict do nothing`,
          [numbers.map(endpointOf), ids]
        )
      }
      // What the server would do by itself in the next minutes is done before anything is measured.
      yield* sql.unsafe("vacuum analyze")
      yield* sql.unsafe("checkpoint")
      const clients = Layer.merge(NodeCrypto.layer, Database.layer(connection))
      const library = Effect.andThen(seedPolicies, seedLibrary)
      yield* Effect.provide(library, Layer.provide(StoredSnapshots.layer, clients))
    })
  )

const sentence =
  "Coverage of imaging is considered medically necessary when its criteria are met and documented. "

/** Part of the snapshot that `seedLibrary` completes. */
const seedPolicies = Effect.gen(function* () {
  const { saveHistory } = yield* Snapshots
  const snapshot = snapshotOf({ snapshotId: "1".repeat(64) })
  for (let number = 0; number < policies; number++) {
    const sections = { indications: sentence.repeat(4), limitations: null, documentation: null }
    const document = documentOf({
      policyId: policyOf(number),
      title: `Imaging of region ${number}`,
      sections
    })
    yield* saveHistory({ snapshot, documents: [document], at: importedAt })
  }
})

const insert = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  ids: ReadonlyArray<string>,
  hashes: ReadonlyArray<string>
) {
  yield* sql.unsafe(
    `insert into organization (organization_id, name, created_at)
    select id, 'Bench', now() from unnest($1::text[]) id on conflict do nothing`,
    [ids]
  )
  yield* sql.unsafe(
    `insert into account (organization_id, pack, allowance, purchased, overage_used, renews_at)
    select id, 'scale', 1000000, 100, 0, date_trunc('month', now()) + interval '1 month'
    from unnest($1::text[]) id on conflict do nothing`,
    [ids]
  )
  yield* sql.unsafe(
    `insert into api_key (key_id, hash, organization_id, name, mode, scopes, mark, created_at, allowed_cidrs,
      allowed_origins)
    select 'key_' || substr(id, 5), hash, id, 'bench', 'live', array['read', 'write'], 'valid', now(), '{}', '{}'
    from unnest($1::text[], $2::text[]) as row(id, hash) on conflict do nothing`,
    [ids, hashes]
  )
})
