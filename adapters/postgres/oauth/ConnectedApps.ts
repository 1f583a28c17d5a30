import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { IsoTime } from "../../../core/coverage/date.ts"
import type { ConnectedApp } from "../../../core/port/ConnectedApps.ts"
import { ConnectedApps, ConnectedAppsUnavailable } from "../../../core/port/ConnectedApps.ts"
import { unavailable } from "../Database.ts"
import type { GrantRow } from "./rows.ts"
import { time } from "./rows.ts"

/** Consents in PostgreSQL, as an organization sees them. */
export const layer = Layer.effect(
  ConnectedApps,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const away = unavailable((fault) => new ConnectedAppsUnavailable({ fault }))
    return ConnectedApps.of({
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
