import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import {
  forgottenClientsMax,
  OAuthClients,
  OAuthClientsUnavailable
} from "../../../core/port/OAuthClients.ts"
import { unavailable } from "../Database.ts"
import { plainText } from "../library/plainText.ts"
import { time } from "./rows.ts"

/** Registered clients in PostgreSQL. */
export const layer = Layer.effect(
  OAuthClients,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const away = unavailable((fault) => new OAuthClientsUnavailable({ fault }))
    return OAuthClients.of({
      register: (client) =>
        away(
          Effect.asVoid(sql`insert into oauth_client (client_id, metadata, registered_at)
            values (${client.clientId}, ${client.metadata}, ${time(client.registeredAtMs)})`)
        ),
      find: (clientId) =>
        away(
          Effect.map(
            sql<ClientRow>`select * from oauth_client where client_id = ${plainText(clientId)}`,
            ([row]) =>
              row && {
                clientId: row.client_id,
                metadata: row.metadata,
                registeredAtMs: row.registered_at.getTime()
              }
          )
        ),
      forget: (untilMs) =>
        away(
          Effect.map(
            sql`delete from oauth_client where client_id in (
              select client_id from oauth_client where used_at is null and registered_at <= ${time(untilMs)}
              order by registered_at limit ${forgottenClientsMax} for update skip locked
            ) returning 1`,
            (gone) => gone.length
          )
        )
    })
  })
)

interface ClientRow {
  readonly client_id: string
  readonly metadata: string
  readonly registered_at: Date
}
