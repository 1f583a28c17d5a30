import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { Attempts, AttemptsUnavailable, resumedMax, strandedMs } from "../../core/port/Attempts.ts"
import type { DueDelivery } from "../../core/port/Attempts.ts"
import { Jobs } from "../../core/port/Jobs.ts"
import { mayAttempt } from "../../core/webhook/transitions.ts"
import { unavailable } from "./Database.ts"
import { withinTransaction } from "./webhook/withinTransaction.ts"
import { forgetDeliveries } from "./webhook/forgetDeliveries.ts"
import { deliveryOf, endpointOf, hasWebhooks, time } from "./webhook/rows.ts"
import { settle } from "./webhook/settle.ts"
import { findDeliveryState, standingPack } from "./webhook/findDeliveryState.ts"
import { findStranded } from "./webhook/stranded.ts"

/** The worker's view of the deliveries in PostgreSQL. */
export const layer = Layer.effect(
  Attempts,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { offer } = yield* Jobs
    const inTransaction = withinTransaction(sql, failed)
    const offerTurns = (rows: ReadonlyArray<TurnRow>, nowMs: number) =>
      offer(
        rows
          .toSorted((one, other) => Number(one.delivery_id - other.delivery_id))
          .map(({ delivery_id, turn, next_attempt_at }) => ({
            job: { _tag: "Deliver", deliveryId: Number(delivery_id), turn },
            delayMs: Math.max(0, next_attempt_at.getTime() - nowMs)
          }))
      )
    return Attempts.of({
      due: (turn) => unavailable(failed)(Effect.flatMap(Clock.currentTimeMillis, due(sql, turn))),
      settle: (made) => inTransaction(settle(sql, offer, made)),
      defer: ({ deliveryId, turn, atMs, nowMs }) =>
        inTransaction(
          Effect.flatMap(
            sql<TurnRow>`update webhook_delivery set turn = turn + 1, next_attempt_at = ${time(atMs)}
              where delivery_id = ${deliveryId} and turn = ${turn} and status = 'pending'
              returning delivery_id, turn, next_attempt_at`,
            (rows) => offerTurns(rows, nowMs)
          )
        ),
      resume: ({ endpointId, after, nowMs }) =>
        inTransaction(
          Effect.gen(function* () {
            const standing = yield* standingPack(sql, endpointId)
            if (standing === undefined) return null
            const pack = { hasWebhooks: hasWebhooks(standing, nowMs) }
            if (!mayAttempt(endpointOf(standing), pack)) return null
            const rows = yield* sql<TurnRow>`with waiting as (
                select delivery_id from webhook_delivery
                where endpoint_id = ${endpointId} and status = 'pending' and delivery_id > ${after}
                order by delivery_id limit ${resumedMax} for update
              ) update webhook_delivery d set turn = turn + 1,
                next_attempt_at = greatest(next_attempt_at, ${time(nowMs)})
              from waiting where d.delivery_id = waiting.delivery_id
              returning d.delivery_id, d.turn, d.next_attempt_at`
            yield* offerTurns(rows, nowMs)
            const ids = rows.map(({ delivery_id }) => Number(delivery_id))
            return ids.length < resumedMax ? null : Math.max(...ids)
          })
        ),
      rescue: (nowMs) =>
        inTransaction(
          Effect.gen(function* () {
            const ids = yield* findStranded(sql, { nowMs, dueMs: nowMs - strandedMs })
            if (ids.length === 0) return 0
            const rows = yield* sql<TurnRow>`update webhook_delivery
              set turn = turn + 1, next_attempt_at = ${time(nowMs)}
              where delivery_id = any(${ids}::int8[]) returning delivery_id, turn, next_attempt_at`
            yield* offerTurns(rows, nowMs)
            return rows.length
          })
        ),
      forget: (nowMs) => inTransaction(forgetDeliveries(sql, nowMs))
    })
  })
)

interface TurnRow {
  readonly delivery_id: bigint
  readonly turn: number
  readonly next_attempt_at: Date
}

const failed = (fault: AttemptsUnavailable["fault"]) => new AttemptsUnavailable({ fault })

const due =
  (sql: SqlClient.SqlClient, { deliveryId, turn }: { readonly deliveryId: number; readonly turn: number }) =>
  (nowMs: number) =>
    Effect.map(findDeliveryState(sql, deliveryId, ""), (row): DueDelivery | undefined => {
      if (row === undefined || row.event_data === null || row.occurred_at === null) return undefined
      if (row.delivery.turn !== turn || row.delivery.status !== "pending") return undefined
      return {
        delivery: deliveryOf(row.delivery),
        endpoint: endpointOf(row.endpoint),
        event: {
          webhookId: row.delivery.webhook_id,
          type: row.delivery.event,
          occurredAtMs: row.occurred_at.getTime(),
          data: row.event_data
        },
        hasWebhooks: hasWebhooks(row.account, nowMs),
        surface: row.is_sandbox ? "sandbox" : "live"
      }
    })
