import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { timePart } from "../../../core/id/timeId.ts"
import { deliveriesKeptMs, forgottenDeliveriesMax } from "../../../core/port/Attempts.ts"
import { testKeyMs } from "../../../core/sandbox/testKey.ts"
import { time } from "./rows.ts"

/** Removes one batch of what nobody asks for any more, with its attempts, and events that lost their last. */
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

/** How far back the sweep looks for test keys that have expired; it runs every hour. */
const expiredWithin = "2 days"

/**
 * What a test key wrote vanishes with it (contract §3). Its endpoints are younger than itself, so one that is
 * older than any key lives has lost its key.
 */
const forgetTestKeys = Effect.fnUntraced(function* (sql: SqlClient, nowMs: number) {
  const untilMs = nowMs - testKeyMs
  const orphans = sql`select e.endpoint_id from webhook_endpoint e where e.created_at <= ${time(untilMs)}
    and not exists (select from organization o where o.organization_id = e.organization_id)`
  const gone = yield* sql`delete from webhook_delivery where delivery_id in (
    select delivery_id from webhook_delivery where endpoint_id in (${orphans})
    limit ${forgottenDeliveriesMax} for update skip locked
  ) returning 1`
  yield* sql`delete from webhook_endpoint e where e.endpoint_id in (${orphans})
    and not exists (select from webhook_delivery d where d.endpoint_id = e.endpoint_id)`
  yield* sql`delete from acknowledgement where organization_id in (
    select 'org_' || substr(key_id, 5) from api_key where mode = 'test' and organization_id is null
      and expires_at > ${time(nowMs)}::timestamptz - interval '${sql.literal(expiredWithin)}'
      and expires_at <= ${time(nowMs)})`
  return gone.length
})
