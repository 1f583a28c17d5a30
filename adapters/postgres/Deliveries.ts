import { isArrayNonEmpty, map } from "effect/Array"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Deliveries, DeliveriesUnavailable } from "../../core/port/Deliveries.ts"
import type { DeliveriesQuery } from "../../core/port/Deliveries.ts"
import type { EndpointKey } from "../../core/port/Endpoints.ts"
import { Jobs } from "../../core/port/Jobs.ts"
import { openDelivery, replayDelivery } from "../../core/webhook/delivery.ts"
import type { NewDelivery } from "../../core/webhook/delivery.ts"
import type { WebhookEvent } from "../../core/webhook/event.ts"
import { fateOfEvent } from "../../core/webhook/transitions.ts"
import { unavailable } from "./Database.ts"
import { withinTransaction } from "./webhook/withinTransaction.ts"
import { deliveryOf, endpointOf, hasWebhooks, time, timeOrNull } from "./webhook/rows.ts"
import type { DeliveryRow, EndpointRow, PackRow } from "./webhook/rows.ts"

/** Events and deliveries in PostgreSQL. */
export const layer = Layer.effect(
  Deliveries,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { offer } = yield* Jobs
    const inTransaction = withinTransaction(sql, failed)
    return Deliveries.of({
      publish: ({ organizationId, event }) => inTransaction(publish(sql, offer, organizationId, event)),
      list: (query) => unavailable(failed)(Effect.map(page(sql, query), (rows) => pageOf(rows, query.limit))),
      replay: ({ deliveryId, nowMs, ...place }) =>
        inTransaction(
          Effect.gen(function* () {
            const [row] = yield* sql<DeliveryRow>`select d.* from webhook_delivery d
              where ${ofEndpoint(sql, place)} and d.delivery_id = ${deliveryId} for update of d`
            if (row === undefined || row.event === "test.ping") return row && deliveryOf(row)
            const delivery = replayDelivery(deliveryOf(row), nowMs)
            const turn = row.turn + 1
            yield* sql`update webhook_delivery set status = ${delivery.status}, step = ${delivery.step},
              next_attempt_at = ${timeOrNull(delivery.nextAttemptAtMs)}, turn = ${turn}
              where delivery_id = ${deliveryId}`
            yield* offer([{ job: { _tag: "Deliver", deliveryId, turn }, delayMs: 0 }])
            return delivery
          })
        ),
      replayWindow: ({ sinceMs, untilMs, nowMs, ...place }) =>
        inTransaction(
          Effect.gen(function* () {
            const { endpointId } = place
            const [row] = yield* sql<{ readonly replayed: number }>`with begun as (
                update webhook_delivery d set status = 'pending', step = 0, turn = turn + 1,
                  next_attempt_at = ${time(nowMs)}
                where ${ofEndpoint(sql, place)} and d.event <> 'test.ping'
                  and d.created_at >= ${time(sinceMs)} and d.created_at < ${time(untilMs)} returning 1
              ) select count(*)::int as replayed from begun`
            const replayed = row?.replayed ?? 0
            const job = { _tag: "Resume", endpointId, atMs: nowMs } as const
            if (replayed > 0) yield* offer([{ job, delayMs: 0 }])
            return replayed
          })
        ),
      record: (delivery) =>
        Effect.map(unavailable(failed)(insert(sql, [delivery])), ([row]) => ({
          ...delivery,
          deliveryId: Number(row?.delivery_id)
        }))
    })
  })
)

const failed = (fault: DeliveriesUnavailable["fault"]) => new DeliveriesUnavailable({ fault })

const ofEndpoint = (sql: SqlClient.SqlClient, { organizationId, endpointId }: EndpointKey) =>
  sql`d.endpoint_id = ${endpointId} and d.organization_id = ${organizationId}
    and exists (select from webhook_endpoint e where e.endpoint_id = ${endpointId} and e.status <> 'deleted')`

const publish = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  offer: Jobs["Service"]["offer"],
  organizationId: OrganizationId,
  event: WebhookEvent
) {
  const nowMs = event.occurredAtMs
  const rows = yield* sql<EndpointRow & PackRow>`select e.*, a.pack, a.next_pack, a.renews_at
    from webhook_endpoint e left join account a on a.organization_id = e.organization_id
    where e.organization_id = ${organizationId} and e.status <> 'deleted' order by e.endpoint_id`
  const deliveries = rows.flatMap((row) => {
    const endpoint = endpointOf(row)
    const fate = fateOfEvent(endpoint, event.type, { hasWebhooks: hasWebhooks(row, nowMs) })
    const { endpointId } = endpoint
    const opened = { endpointId, organizationId, webhookId: event.webhookId, event: event.type, nowMs }
    return fate === undefined ? [] : [openDelivery({ ...opened, fate })]
  })
  // Only a delivery reads its event.
  if (!isArrayNonEmpty(deliveries)) return 0
  yield* sql`insert into webhook_event (webhook_id, organization_id, type, occurred_at, data)
    values (${event.webhookId}, ${organizationId}, ${event.type}, ${time(nowMs)},
      ${JSON.stringify(event.data)}::json)`
  const kept = yield* insert(sql, deliveries)
  const pending = kept.filter(({ status }) => status === "pending")
  yield* offer(
    pending.map(({ delivery_id }) => ({
      job: { _tag: "Deliver", deliveryId: Number(delivery_id), turn: firstTurn } as const,
      delayMs: 0
    }))
  )
  return deliveries.length
})

const firstTurn = 1

/** New deliveries, each in its first turn. */
const insert = (sql: SqlClient.SqlClient, deliveries: NonEmptyReadonlyArray<NewDelivery>) =>
  sql<Pick<DeliveryRow, "delivery_id" | "status">>`insert into webhook_delivery
    ${sql.insert(map(deliveries, columnsOf))} returning delivery_id, status`

const columnsOf = (each: NewDelivery): Readonly<Record<string, unknown>> => ({
  endpoint_id: each.endpointId,
  organization_id: each.organizationId,
  webhook_id: each.webhookId,
  event: each.event,
  status: each.status,
  attempts: each.attempts,
  step: each.step,
  turn: firstTurn,
  http_status: each.httpStatus,
  error: each.error,
  next_attempt_at: timeOrNull(each.nextAttemptAtMs),
  created_at: time(each.createdAtMs)
})

/** One row more than asked tells of a next page. */
const page = (sql: SqlClient.SqlClient, query: DeliveriesQuery) =>
  sql<DeliveryRow>`select d.* from webhook_delivery d where ${sql.and([
    ofEndpoint(sql, query),
    ...(query.status === null ? [] : [sql`d.status = ${query.status}`]),
    ...(query.before === null ? [] : [sql`d.delivery_id < ${query.before}`])
  ])} order by d.delivery_id desc limit ${query.limit + 1}`

const pageOf = (rows: ReadonlyArray<DeliveryRow>, limit: number) => {
  const deliveries = rows.slice(0, limit).map(deliveryOf)
  return { deliveries, next: rows.length > limit ? (deliveries.at(-1)?.deliveryId ?? null) : null }
}
