import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { IsoTime } from "../../../core/coverage/date.ts"
import type { ConnectedApp, OAuthGrant } from "../../../core/oauth/OAuthGrant.ts"
import { OAuthGrants, OAuthGrantsUnavailable } from "../../../core/port/OAuthGrants.ts"
import { atomically, unavailable } from "../Database.ts"
import { plainText } from "../library/plainText.ts"
import type { GrantRow } from "./rows.ts"
import { grantOf, time } from "./rows.ts"

/** Consents in PostgreSQL: rows beneath the membership of whoever consented. */
export const layer = Layer.effect(
  OAuthGrants,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const away = unavailable((fault) => new OAuthGrantsUnavailable({ fault }))
    return OAuthGrants.of({
      open: (grant) => Effect.provideService(away(atomically(open(sql, grant))), SqlClient.SqlClient, sql),
      find: (grantId) =>
        away(
          Effect.map(
            sql<GrantRow & { readonly suspended: boolean }>`select oauth_grant.*, suspended from oauth_grant
              join organization using (organization_id) where grant_id = ${grantId}`,
            ([row]) => row && { ...grantOf(row), organizationSuspended: row.suspended }
          )
        ),
      end: (grantId) =>
        away(
          Effect.map(
            sql<GrantRow>`delete from oauth_grant where grant_id = ${grantId} returning *`,
            ([row]) => row && grantOf(row)
          )
        ),
      list: (organizationId) =>
        away(
          Effect.gen(function* () {
            const nowMs = yield* Clock.currentTimeMillis
            const rows = yield* sql<AppRow>`select g.*, u."name" as person_name, u."email" as person_email
              from oauth_grant g join auth."user" u on u."id" = g.person_id
              where g.organization_id = ${organizationId} and g.ends_at > ${time(nowMs)}
              order by g.connected_at desc, g.grant_id desc`
            return rows.map(appOf)
          })
        ),
      disconnect: ({ grantId, organizationId }) =>
        away(
          Effect.map(
            sql`delete from oauth_grant
              where grant_id = ${grantId} and organization_id = ${organizationId} returning 1`,
            (gone) => gone.length > 0
          )
        )
    })
  })
)

/** The membership is locked, so that whoever removes it waits and then takes the grant along. */
const open = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, grant: OAuthGrant) {
  const { clientId, organizationId, personId } = grant
  const opened = yield* sql`insert into oauth_grant
    (grant_id, client_id, client_name, person_id, organization_id, connected_at, ends_at)
    select ${grant.grantId}, ${plainText(clientId)}, ${plainText(grant.clientName)}, person_id,
      organization_id, ${time(grant.connectedAtMs)}::timestamptz, ${time(grant.endsAtMs)}::timestamptz
    from membership where organization_id = ${organizationId} and person_id = ${personId}
    for key share returning 1`
  if (opened.length === 0) return "not_member" as const
  yield* sql`update oauth_client set used_at = ${time(grant.connectedAtMs)}
    where client_id = ${plainText(clientId)} and used_at is null`
  return "opened" as const
})

interface AppRow extends GrantRow {
  readonly person_name: string
  readonly person_email: string
}

const appOf = (row: AppRow): ConnectedApp => ({
  grantId: row.grant_id,
  clientId: row.client_id,
  clientName: row.client_name,
  person: { personId: row.person_id, email: row.person_email, name: row.person_name },
  connectedAt: row.connected_at.toISOString() as IsoTime,
  lastUsedAt: row.last_used_at === null ? null : (row.last_used_at.toISOString() as IsoTime),
  endsAt: row.ends_at.toISOString() as IsoTime
})
