import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { AttemptMade } from "../../../core/port/Attempts.ts"
import type { Jobs } from "../../../core/port/Jobs.ts"
import type { Delivery } from "../../../core/webhook/delivery.ts"
import type { Endpoint } from "../../../core/webhook/Endpoint.ts"
import { errorOf, httpStatusOf } from "../../../core/webhook/Outcome.ts"
import { settleAttempt } from "../../../core/webhook/settle.ts"
import type { Settlement } from "../../../core/webhook/settle.ts"
import { deliveryOf, endpointOf, hasWebhooks, time, timeOrNull } from "./rows.ts"
import type { EndpointRow, PackRow } from "./rows.ts"
import { findDeliveryState, standingPack } from "./findDeliveryState.ts"
import type { StandingRow } from "./findDeliveryState.ts"

/**
 * Writes down what came of an attempt, inside the open transaction: delivery first, then endpoint, so that no
 * two wait for each other. An endpoint that stays as it is, as after success upon success, is not locked: its
 * deliveries would commit one after the other.
 */
export const settle = Effect.fnUntraced(function* (
  sql: SqlClient,
  offer: Jobs["Service"]["offer"],
  made: AttemptMade
) {
  const row = yield* findDeliveryState(sql, made.deliveryId, "for no key update of d")
  if (row === undefined) return undefined
  const isItsTurn = row.delivery.turn === made.turn && row.delivery.status === "pending"
  const settlementOver = (endpoint: EndpointRow & PackRow): Settlement =>
    settleAttempt(
      {
        delivery: deliveryOf(row.delivery),
        endpoint: endpointOf(endpoint),
        hasWebhooks: hasWebhooks(endpoint, made.nowMs),
        isItsTurn
      },
      made,
      made.policy
    )
  const { delivery, moved, jobAtMs } = yield* overEndpoint(sql, row, settlementOver)
  const turn = isItsTurn ? row.delivery.turn + 1 : row.delivery.turn
  yield* saveAttempt(sql, made, delivery, turn)
  if (jobAtMs !== null) {
    const job = { _tag: "Deliver", deliveryId: made.deliveryId, turn } as const
    yield* offer([{ job, delayMs: Math.max(0, jobAtMs - made.nowMs) }])
  }
  return moved.endpoint
})

/**
 * The settlement over the endpoint as it was seen; where it changes it, over the endpoint locked, and saved.
 */
const overEndpoint = Effect.fnUntraced(function* (
  sql: SqlClient,
  row: StandingRow,
  settlementOver: (endpoint: EndpointRow & PackRow) => Settlement
) {
  const seen = settlementOver({ ...row.account, ...row.endpoint })
  if (isUnchanged(endpointOf(row.endpoint), seen.moved.endpoint)) return seen
  const locked = yield* standingPack(sql, Number(row.endpoint.endpoint_id), "for no key update of e")
  if (locked === undefined) return seen
  const settlement = settlementOver(locked)
  const { endpoint } = settlement.moved
  const { endpointId, status, failureCount, failingSinceMs, updatedAtMs } = endpoint
  yield* sql`update webhook_endpoint set status = ${status}, failure_count = ${failureCount},
    failing_since = ${timeOrNull(failingSinceMs)}, updated_at = ${time(updatedAtMs)}
    where endpoint_id = ${endpointId}`
  return settlement
})

const isUnchanged = (before: Endpoint, after: Endpoint): boolean =>
  before.status === after.status &&
  before.failureCount === after.failureCount &&
  before.failingSinceMs === after.failingSinceMs &&
  before.updatedAtMs === after.updatedAtMs

const saveAttempt = (sql: SqlClient, made: AttemptMade, delivery: Delivery, turn: number) => {
  const { deliveryId, outcome } = made
  const { status, attempts, step, httpStatus, error, nextAttemptAtMs } = delivery
  const excerpt = outcome._tag === "Answered" ? outcome.excerpt : ""
  return sql`with made as (
      insert into webhook_attempt
        (delivery_id, organization_id, attempt, began_at, ended_at, http_status, error, excerpt)
      select delivery_id, organization_id, ${attempts}, ${time(made.beganMs)}::timestamptz,
        ${time(made.nowMs)}::timestamptz, ${httpStatusOf(outcome)}::integer, ${errorOf(outcome)}, ${excerpt}
      from webhook_delivery where delivery_id = ${deliveryId}
    ) update webhook_delivery set status = ${status}, attempts = ${attempts}, step = ${step}, turn = ${turn},
      http_status = ${httpStatus}, error = ${error}, next_attempt_at = ${timeOrNull(nextAttemptAtMs)}
      where delivery_id = ${deliveryId}`
}
