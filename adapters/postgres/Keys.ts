import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { IsoTime } from "../../core/coverage/date.ts"
import { assignRelease, changeKey, retireKey } from "../../core/key/change.ts"
import type { KeyHash, KeyHolder, KeyId, KeyStatus, KeyRecord } from "../../core/key/state.ts"
import { isOwnOrganization, ownHolder, ownKeyId, ownOrganization } from "../../core/key/testKey.ts"
import type { Scope } from "../../core/operation/scope.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import { packInForce } from "../../core/organization/renewal.ts"
import { Keys, KeysUnavailable } from "../../core/port/Keys.ts"
import { atomically, PipelinedClient, unavailable } from "./Database.ts"
import { notifyKeyChanged } from "./keyChanged.ts"

/** Keys in PostgreSQL. A call's own lookup goes over the multiplexed client, all else over the pool. */
export const layer = Layer.effect(
  Keys,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const find = makeFind(yield* PipelinedClient)
    const inTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.provideService(unavailable(failed)(atomically(effect)), SqlClient.SqlClient, sql)
    return Keys.of({
      find: (hash) => unavailable(failed)(find(hash)),
      issue: (key) => inTransaction(issue(sql, key)),
      change: ({ keyId, ...change }) =>
        inTransaction(
          Effect.gen(function* () {
            const [row] = yield* sql<KeyRow>`select * from api_key where key_id = ${keyId} for update`
            if (row === undefined) return undefined
            const key = changeKey(keyOf(row), change)
            yield* sql`update api_key set mark = ${key.mark}, reason = ${key.reason} where key_id = ${keyId}`
            yield* notifyKeyChanged(sql, key.hash)
            return key
          })
        ),
      assign: ({ keyId, releaseId }) =>
        inTransaction(
          Effect.gen(function* () {
            const [row] = yield* sql<KeyRow>`select * from api_key where key_id = ${keyId} for update`
            if (row === undefined) return undefined
            const assigned = assignRelease(keyOf(row), releaseId)
            if (assigned._tag !== "Assigned") return assigned
            yield* sql`update api_key set release_id = ${releaseId} where key_id = ${keyId}`
            yield* notifyKeyChanged(sql, row.hash)
            return assigned
          })
        ),
      retire: ({ keyId, until }) =>
        inTransaction(
          Effect.gen(function* () {
            const [row] = yield* sql<KeyRow>`select * from api_key where key_id = ${keyId} for update`
            if (row === undefined) return undefined
            const before = keyOf(row)
            const key = retireKey(before, until)
            yield* sql`update api_key set expires_at = ${key.expiresAt} where key_id = ${keyId}`
            yield* notifyKeyChanged(sql, key.hash)
            return { key, isNews: key !== before }
          })
        ),
      list: (organizationId) =>
        unavailable(failed)(
          Effect.map(
            sql<KeyRow>`select * from api_key where organization_id = ${organizationId}
              or (key_id = ${ownKeyId(organizationId)} and organization_id is null) order by key_id`,
            (rows) => rows.map(keyOf)
          )
        )
    })
  })
)

const failed = (fault: KeysUnavailable["fault"]) => new KeysUnavailable({ fault })

interface KeyRow {
  readonly key_id: KeyId
  readonly hash: KeyHash
  /** Null: a test key that is an organization of its own. */
  readonly organization_id: OrganizationId | null
  readonly name: string
  readonly mode: "live" | "test"
  readonly scopes: ReadonlyArray<Scope>
  readonly mark: KeyStatus
  readonly reason: string | null
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly allowed_cidrs: ReadonlyArray<string>
  readonly allowed_origins: ReadonlyArray<string>
  readonly release_id: string | null
}

interface HolderRow extends KeyRow {
  readonly pack: PackName | null
  readonly next_pack: PackName | null
  readonly renews_at: Date | null
  readonly suspended: boolean | null
  readonly concurrent_max: number | null
}

const findByHashes = `select api_key.*, pack, next_pack, renews_at, suspended, concurrent_max
  from api_key left join organization using (organization_id) left join account using (organization_id)
  where hash = any($1::text[])`

class FindKey extends Request.Class<{ readonly hash: KeyHash }, KeyHolder | undefined, SqlError> {}

/** Keys in one statement; a caller waits for the others' rows too. */
const findMax = 256

/** Keys that are looked up in the same turn of the event loop share one statement. */
const makeFind = (reads: PipelinedClient["Service"]) => {
  const readAll = Effect.fnUntraced(function* (lookups: ReadonlyArray<Request.Entry<FindKey>>) {
    const nowMs = yield* Clock.currentTimeMillis
    const hashes = lookups.map(({ request }) => request.hash)
    const rows = new Map(
      (yield* reads.unsafe<HolderRow>(findByHashes, [hashes])).map((row) => [row.hash, row])
    )
    for (const lookup of lookups) {
      const row = rows.get(lookup.request.hash)
      lookup.completeUnsafe(Exit.succeed(row && holderOf(row, nowMs)))
    }
  })
  const resolver = RequestResolver.make<FindKey>(readAll).pipe(RequestResolver.batchN(findMax))
  return (hash: KeyHash) => Effect.request(new FindKey({ hash }), resolver)
}

const issue = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, key: KeyRecord) {
  const organizationId = isOwnOrganization(key) ? null : key.organizationId
  const organization = yield* sql`select 1 from organization where organization_id = ${organizationId}`
  if (organization.length === 0 && organizationId !== null) return "no_organization" as const
  const issued =
    yield* sql`insert into api_key (key_id, hash, organization_id, name, mode, scopes, mark, reason,
      created_at, expires_at, last_used_at, allowed_cidrs, allowed_origins, release_id)
    values (${key.keyId}, ${key.hash}, ${organizationId}, ${key.name}, ${key.mode}, ${key.scopes}, ${key.mark},
      ${key.reason}, ${key.createdAt}, ${key.expiresAt}, ${key.lastUsedAt}, ${key.allowedCidrs},
      ${key.allowedOrigins}, ${key.releaseId})
    on conflict (hash) do nothing returning key_id`
  if (issued.length === 0) return "taken" as const
  yield* notifyKeyChanged(sql, key.hash)
  return "issued" as const
})

const holderOf = (row: HolderRow, nowMs: number): KeyHolder => {
  if (row.pack === null || row.renews_at === null) return ownHolder(keyOf(row))
  const packs = { pack: row.pack, nextPack: row.next_pack, renewsAtMs: row.renews_at.getTime() }
  return {
    key: keyOf(row),
    pack: packInForce(packs, nowMs).pack,
    organizationSuspended: row.suspended === true,
    concurrentMax: row.concurrent_max
  }
}

const keyOf = (row: KeyRow): KeyRecord => ({
  keyId: row.key_id,
  hash: row.hash,
  organizationId: row.organization_id ?? ownOrganization(row.key_id),
  name: row.name,
  mode: row.mode,
  scopes: row.scopes,
  mark: row.mark,
  reason: row.reason,
  createdAt: row.created_at.toISOString() as IsoTime,
  expiresAt: timeOf(row.expires_at),
  lastUsedAt: timeOf(row.last_used_at),
  allowedCidrs: row.allowed_cidrs,
  allowedOrigins: row.allowed_origins,
  releaseId: row.release_id
})

const timeOf = (at: Date | null): IsoTime | null => (at === null ? null : (at.toISOString() as IsoTime))
