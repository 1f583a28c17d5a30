import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { timePart } from "../../../core/id/timeId.ts"
import { deliveriesKeptMs, forgottenDeliveriesMax } from "../../../core/port/Attempts.ts"
import { testKeyMs } from "../../../core/sandbox/testKey.ts"
import { time } from "./rows.ts"

/** Removes one batch of old deliveries with their attempts, and events without a delivery. */
export const forgetDeliveries = Effect.fnUntraced(function* (sql: SqlClient, nowMs: number) {
  const untilMs = nowMs - deliveriesKeptMs
  const gone = yield* sql`delete from webhook_delivery where delivery_id in (
    select d.delivery_id from webhook_delivery d join webhook_endpoint e on e.endpoint_id = d.endpoint_id
    where d.created_at <= ${time(untilMs)}
      and (d.status not in ('pending', 'held') or e.status = 'deleted')
    order by d.created_at limit ${forgottenDeliveriesMax} for update of d skip locked
  ) returning 1`
  const vanished = yield* forgetTestKeys(sql, nowMs)
  // Ids of events begin with their time, so the oldest come first.
  yield* sql`delete from webhook_event where webhook_id in (
    select v.webhook_id from webhook_event v where v.webhook_id < ${`msg_${timePart(untilMs + 1)}`}
      and not exists (select from webhook_delivery d where d.webhook_id = v.webhook_id)
    order by v.webhook_id limit ${forgottenDeliveriesMax}
  )`
  return Math.max(gone.length, vanished)
})

/** How far back the sweep looks for expired test keys: a service that was stopped for so long misses none. */
const expiredWithin = "30 days"

/**
 * Removes one batch of what expired test keys wrote (contract §3); the rows of the keys stay. An endpoint is
 * younger than its key, so one that is older than any key lives has lost its key.
 */
const forgetTestKeys = Effect.fnUntraced(function* (sql: SqlClient, nowMs: number) {
  const untilMs = nowMs - testKeyMs
  const orphans = sql`select e.endpoint_id from webhook_endpoint e where e.created_at <= ${time(untilMs)}
    and not exists (select from organization o where o.organization_id = e.organization_id)`
  const gone = yield* sql<{ readonly webhook_id: string }>`delete from webhook_delivery where delivery_id in (
    select delivery_id from webhook_delivery where endpoint_id in (${orphans})
    limit ${forgottenDeliveriesMax} for update skip locked
  ) returning webhook_id`
  const events = [...new Set(gone.map(({ webhook_id }) => webhook_id))]
  yield* sql`delete from webhook_event v where v.webhook_id = any(${events}::text[])
    and not exists (select from webhook_delivery d where d.webhook_id = v.webhook_id)`
  const endpoints = yield* sql`delete from webhook_endpoint where endpoint_id in (
    select o.endpoint_id from (${orphans}) o
    where not exists (select from webhook_delivery d where d.endpoint_id = o.endpoint_id)
    limit ${forgottenDeliveriesMax}
  ) returning 1`
  const acknowledgements = yield* forgetAcknowledgements(sql, nowMs)
  return Math.max(gone.length, endpoints.length, acknowledgements)
})

const forgetAcknowledgements = Effect.fnUntraced(function* (sql: SqlClient, nowMs: number) {
  const gone = yield* sql`delete from acknowledgement where acknowledgement_id in (
    select a.acknowledgement_id from api_key k
      join acknowledgement a on a.organization_id = 'org_' || substr(k.key_id, 5)
    where k.mode = 'test' and k.organization_id is null
      and k.expires_at > ${time(nowMs)}::timestamptz - interval '${sql.literal(expiredWithin)}'
      and k.expires_at <= ${time(nowMs)}
    limit ${forgottenDeliveriesMax} for update of a skip locked
  ) returning 1`
  return gone.length
})
