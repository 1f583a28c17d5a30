import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { EndpointKey } from "../../core/port/Endpoints.ts"
import { Endpoints, EndpointsUnavailable } from "../../core/port/Endpoints.ts"
import { Jobs } from "../../core/port/Jobs.ts"
import { endpointsMax } from "../../core/webhook/Endpoint.ts"
import type { Endpoint, NewEndpoint } from "../../core/webhook/Endpoint.ts"
import type { EndpointTransition } from "../../core/webhook/transitions.ts"
import { unavailable } from "./Database.ts"
import { withinTransaction } from "./webhook/withinTransaction.ts"
import { endpointOf, secretsJson, time, timeOrNull } from "./webhook/rows.ts"
import type { EndpointRow } from "./webhook/rows.ts"

/** Endpoints in PostgreSQL. */
export const layer = Layer.effect(
  Endpoints,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { offer } = yield* Jobs
    const inTransaction = withinTransaction(sql, failed)
    return Endpoints.of({
      create: (endpoint) => inTransaction(create(sql, endpoint)),
      list: (organizationId) =>
        unavailable(failed)(
          Effect.map(
            sql<EndpointRow>`select * from webhook_endpoint
              where organization_id = ${organizationId} and status <> 'deleted' order by endpoint_id`,
            (rows) => rows.map(endpointOf)
          )
        ),
      find: (place) => unavailable(failed)(Effect.map(find(sql, place), (row) => row && endpointOf(row))),
      change: (place, move) => inTransaction(change(sql, offer, place, move))
    })
  })
)

const failed = (fault: EndpointsUnavailable["fault"]) => new EndpointsUnavailable({ fault })

const find = (sql: SqlClient.SqlClient, { organizationId, endpointId }: EndpointKey, lock = "") =>
  Effect.map(
    sql<EndpointRow>`select * from webhook_endpoint where endpoint_id = ${endpointId}
      and organization_id = ${organizationId} and status <> 'deleted' ${sql.literal(lock)}`,
    ([row]) => row
  )

/** An organization need not have a row to lock, so its creates take their turns at a lock of its id. */
const create = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, endpoint: NewEndpoint) {
  const { organizationId } = endpoint
  yield* sql`select pg_advisory_xact_lock(hashtextextended(${`endpoints ${organizationId}`}, 0))`
  const [row] = yield* sql<EndpointRow>`insert into webhook_endpoint
    (organization_id, url, events, status, failure_count, failing_since, secrets, created_at, updated_at)
    select ${organizationId}, ${endpoint.url}, ${endpoint.events}::text[], ${endpoint.status},
      ${endpoint.failureCount}, ${timeOrNull(endpoint.failingSinceMs)}, ${secretsJson(endpoint.secrets)}::json,
      ${time(endpoint.createdAtMs)}, ${time(endpoint.updatedAtMs)}
    where (select count(*) from webhook_endpoint
      where organization_id = ${organizationId} and status <> 'deleted') < ${endpointsMax}
    returning *`
  return row === undefined ? ("full" as const) : endpointOf(row)
})

const change = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  offer: Jobs["Service"]["offer"],
  place: EndpointKey,
  move: (endpoint: Endpoint) => EndpointTransition
) {
  // Weaker than `for update`, so that no new delivery, which refers to the row, waits for it.
  const row = yield* find(sql, place, "for no key update")
  if (row === undefined) return undefined
  const found = endpointOf(row)
  const { endpoint, deliveries } = move(found)
  if (endpoint === found) return found
  yield* saveEndpoint(sql, endpoint)
  if (deliveries === "resume") {
    const atMs = yield* Clock.currentTimeMillis
    yield* offer([{ job: { _tag: "Resume", endpointId: endpoint.endpointId, atMs }, delayMs: 0 }])
  }
  return endpoint
})

const saveEndpoint = (sql: SqlClient.SqlClient, endpoint: Endpoint) =>
  sql`update webhook_endpoint set url = ${endpoint.url}, events = ${endpoint.events}::text[],
    status = ${endpoint.status}, failure_count = ${endpoint.failureCount},
    failing_since = ${timeOrNull(endpoint.failingSinceMs)}, secrets = ${secretsJson(endpoint.secrets)}::json,
    updated_at = ${time(endpoint.updatedAtMs)} where endpoint_id = ${endpoint.endpointId}`
