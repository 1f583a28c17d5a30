import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { OAuthGrant } from "../../../core/oauth/OAuthGrant.ts"
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
