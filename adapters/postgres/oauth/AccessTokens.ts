import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { IsoTime } from "../../../core/coverage/date.ts"
import type { TokenHash, TokenHolder } from "../../../core/oauth/TokenHolder.ts"
import { oauthScopes } from "../../../core/oauth/TokenHolder.ts"
import { packNames } from "../../../core/organization/pack.ts"
import { packInForce } from "../../../core/organization/renewal.ts"
import { AccessTokens, AccessTokensUnavailable } from "../../../core/port/AccessTokens.ts"
import { PipelinedClient, unavailable } from "../Database.ts"
import { makeGrantUses } from "./grantUses.ts"
import { time } from "./rows.ts"

/**
 * Access tokens in PostgreSQL: one read by primary keys on the multiplexed client, and no cache, so that the
 * end of a grant is seen by the next call on every process.
 */
export const layer = Layer.effect(
  AccessTokens,
  Effect.gen(function* () {
    const reads = yield* PipelinedClient
    const note = yield* makeGrantUses(yield* SqlClient.SqlClient)
    const away = unavailable((fault) => new AccessTokensUnavailable({ fault }))
    return AccessTokens.of({
      find: (hash) =>
        away(
          Effect.gen(function* () {
            const nowMs = yield* Clock.currentTimeMillis
            const [found] = yield* find(reads, hash, nowMs)
            if (found === undefined) return undefined
            const row = decodeHolder(found)
            note(row.grant_id, nowMs)
            return holderOf(row, nowMs)
          })
        )
    })
  })
)

const find = (reads: PipelinedClient["Service"], hash: TokenHash, nowMs: number) =>
  reads.unsafe(findByHash, [hash, time(nowMs)])

/** A grant stands beneath its membership and goes with it: the row is there, so the person is a member. */
const findByHash = `select grant_id, client_id, person_id, organization_id, expires_at, suspended,
    concurrent_max, pack, next_pack, renews_at
  from oauth_record join oauth_grant using (grant_id) join organization using (organization_id)
    join account using (organization_id)
  where model = 'AccessToken' and hash = $1 and expires_at > $2::timestamptz and ends_at > $2::timestamptz`

const HolderRow = Schema.Struct({
  grant_id: Schema.String,
  client_id: Schema.String,
  person_id: Schema.String.pipe(Schema.brand("PersonId")),
  organization_id: Schema.String.pipe(Schema.brand("OrganizationId")),
  expires_at: Schema.Date,
  suspended: Schema.Boolean,
  concurrent_max: Schema.NullOr(Schema.Number),
  pack: Schema.Literals(packNames),
  next_pack: Schema.NullOr(Schema.Literals(packNames)),
  renews_at: Schema.Date
})

/** A row that says something unknown is a defect and never a guess: what a call may do hangs on it. */
const decodeHolder = Schema.decodeUnknownSync(HolderRow)

const holderOf = (row: typeof HolderRow.Type, nowMs: number): TokenHolder => ({
  grantId: row.grant_id,
  clientId: row.client_id,
  personId: row.person_id,
  organizationId: row.organization_id,
  scopes: oauthScopes,
  expiresAt: row.expires_at.toISOString() as IsoTime,
  pack: packInForce({ pack: row.pack, nextPack: row.next_pack, renewsAtMs: row.renews_at.getTime() }, nowMs)
    .pack,
  organizationSuspended: row.suspended,
  concurrentMax: row.concurrent_max
})
