import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { packNames, packs } from "../../../core/organization/pack.ts"
import { resumedMax } from "../../../core/port/Attempts.ts"
import { endpointStatuses } from "../../../core/webhook/Endpoint.ts"
import { statusRows } from "../../../core/webhook/transitions.ts"
import { time } from "./rows.ts"

/**
 * Pending deliveries that were due at the time and may be attempted, oldest first; what another process has
 * in hand is left to it. The pack in force is told as `packInForce` tells it.
 */
export const findStranded = (sql: SqlClient, at: { readonly nowMs: number; readonly dueMs: number }) =>
  Effect.map(
    sql<{ readonly delivery_id: bigint }>`select d.delivery_id
      from webhook_delivery d join webhook_endpoint e on e.endpoint_id = d.endpoint_id
      left join account a on a.organization_id = d.organization_id
      where d.status = 'pending' and d.next_attempt_at <= ${time(at.dueMs)}
        and e.status = any(${attempted}::text[])
        and (a.pack is null or case when a.renews_at <= ${time(at.nowMs)} then coalesce(a.next_pack, a.pack)
          else a.pack end = any(${withWebhooks}::text[]))
      order by d.next_attempt_at limit ${resumedMax} for no key update of d skip locked`,
    (rows) => rows.map(({ delivery_id }) => Number(delivery_id))
  )

const attempted = endpointStatuses.filter((status) => statusRows[status].attempts)
const withWebhooks = packNames.filter((pack) => packs[pack].webhooks)
