import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { DeliveryRow, EndpointRow, PackRow } from "./rows.ts"

/** A delivery with all that stands beside it. */
export interface StandingRow {
  readonly delivery: DeliveryRow
  readonly endpoint: EndpointRow
  readonly account: PackRow
  /** Null: a test's row, or an event that is forgotten. */
  readonly occurred_at: Date | null
  readonly event_data: Readonly<Record<string, unknown>> | null
  readonly is_sandbox: boolean
}

/** The columns of the endpoint go by other names where the delivery has the same. */
interface JoinedRow extends DeliveryRow, Omit<PackRow, never> {
  readonly occurred_at: Date | null
  readonly event_data: Readonly<Record<string, unknown>> | null
  readonly is_sandbox: boolean
  readonly url: string
  readonly events: EndpointRow["events"]
  readonly endpoint_status: EndpointRow["status"]
  readonly failure_count: number
  readonly failing_since: Date | null
  readonly secrets: EndpointRow["secrets"]
  readonly endpoint_created_at: Date
  readonly endpoint_updated_at: Date
}

const columns = `e.url, e.events, e.status as endpoint_status, e.failure_count, e.failing_since, e.secrets,
  e.created_at as endpoint_created_at, e.updated_at as endpoint_updated_at, a.pack, a.next_pack, a.renews_at`

/** One read by primary keys; `lock` may lock the delivery (`d`). */
export const findDeliveryState = (sql: SqlClient, deliveryId: number, lock: "" | "for no key update of d") =>
  Effect.map(
    sql.unsafe<JoinedRow>(
      `select d.*, ${columns}, v.occurred_at, v.data as event_data, o.organization_id is null as is_sandbox
        from webhook_delivery d join webhook_endpoint e on e.endpoint_id = d.endpoint_id
        left join webhook_event v on v.webhook_id = d.webhook_id
        left join organization o on o.organization_id = d.organization_id
        left join account a on a.organization_id = d.organization_id
        where d.delivery_id = $1 ${lock}`,
      [deliveryId]
    ),
    ([row]): StandingRow | undefined => row && standingOf(row)
  )

const standingOf = (row: JoinedRow): StandingRow => ({
  delivery: row,
  endpoint: {
    ...row,
    status: row.endpoint_status,
    created_at: row.endpoint_created_at,
    updated_at: row.endpoint_updated_at
  },
  account: row,
  occurred_at: row.occurred_at,
  event_data: row.event_data,
  is_sandbox: row.is_sandbox
})

/** An endpoint and its organization's account, whatever the endpoint's status; `lock` locks the endpoint. */
export const standingPack = (sql: SqlClient, endpointId: number, lock: "" | "for no key update of e" = "") =>
  Effect.map(
    sql.unsafe<EndpointRow & PackRow>(
      `select e.*, a.pack, a.next_pack, a.renews_at from webhook_endpoint e
        left join account a on a.organization_id = e.organization_id where e.endpoint_id = $1 ${lock}`,
      [endpointId]
    ),
    ([row]) => row
  )
