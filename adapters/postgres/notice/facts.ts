import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { KeyStatus } from "../../../core/key/state.ts"
import type { Facts } from "../../../core/notice/due.ts"
import { keyLeads } from "../../../core/notice/key.ts"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import { looksMax } from "../../../core/port/Notices.ts"
import type { AccountRow } from "../accounts.ts"
import { accountOf } from "../accounts.ts"
import type { EndpointRow } from "../webhook/rows.ts"
import { endpointOf, time } from "../webhook/rows.ts"

/** Facts of one organization. */
export interface Subject {
  readonly organizationId: OrganizationId
  readonly facts: Facts
}

/**
 * The accounts with what was granted to them: the few rows a month that are no request's, which have a
 * partition of their own.
 */
export const accountFacts = (sql: SqlClient, ids: ReadonlyArray<OrganizationId>) =>
  Effect.map(
    sql<
      AccountRow & { readonly granted: bigint; readonly bought: bigint }
    >`select a.*, given.* from account a,
      lateral (
        select coalesce(sum(amount) filter (where source = 'allowance' and e.renews_at = a.renews_at), 0)::bigint
            as granted,
          coalesce(sum(amount) filter (where source = 'purchased'), 0)::bigint as bought
        from credit_move e
        where e.organization_id = a.organization_id and e.reference < 'req_' and e.kind = 'grant'
      ) as given where a.organization_id = any(${ids})`,
    (rows) =>
      rows.map(
        (row): Subject => ({
          organizationId: row.organization_id,
          facts: {
            _tag: "Account",
            account: accountOf(row),
            granted: Number(row.granted),
            bought: Number(row.bought)
          }
        })
      )
  )

/**
 * Disabled endpoints with the attempt that disabled them, sought among their newest deliveries. One of a test
 * key has no organization to tell.
 */
export const endpointFacts = (sql: SqlClient, ids: ReadonlyArray<bigint>) =>
  Effect.map(
    sql<EndpointRow & LastRow>`select e.*, made.http_status, made.error from webhook_endpoint e
      join organization o on o.organization_id = e.organization_id
      left join lateral (
        select a.http_status, a.error from (
          select delivery_id from webhook_delivery where endpoint_id = e.endpoint_id and attempts > 0
          order by delivery_id desc limit ${deliveriesMax}
        ) as newest join webhook_attempt a using (delivery_id)
        where a.ended_at <= e.updated_at order by a.ended_at desc limit 1
      ) as made on true
      where e.endpoint_id = any(${ids.map(String)}::bigint[]) and e.status = 'disabled'`,
    (rows) =>
      rows.map(
        (row): Subject => ({
          organizationId: row.organization_id,
          facts: {
            _tag: "Endpoint",
            endpoint: endpointOf(row),
            lastStatus: row.http_status,
            lastError: row.error
          }
        })
      )
  )

/**
 * The keys that the kernel has something to tell of, by their lead, and that it was not told of: the rules of
 * `reachedByKey` and `keyPeriod` as a range of the index by expiry.
 */
export const keyFacts = (sql: SqlClient, nowMs: number) =>
  Effect.map(
    Effect.forEach(
      keyLeads,
      ({ kind, leadMs }, index) =>
        sql<KeyRow>`select key_id, organization_id, name, mark, created_at, expires_at from api_key k
        where mark = 'valid' and organization_id is not null
          and expires_at > ${time(nowMs + (keyLeads[index + 1]?.leadMs ?? 0))}
          and expires_at <= ${time(nowMs + leadMs)}
          and created_at <= expires_at - make_interval(secs => ${leadMs / 1_000})
          and not exists (select from notice n where n.organization_id = k.organization_id
            and n.person_id is null and n.kind = ${kind} and n.period = k.key_id || ':' ||
              to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        order by expires_at limit ${looksMax}`
    ),
    (found) => found.flat().map(keySubject)
  )

/** The one that disabled an endpoint is among its newest; more would not make it likelier. */
const deliveriesMax = 200

interface LastRow {
  readonly http_status: number | null
  readonly error: string | null
}

interface KeyRow {
  readonly key_id: string
  readonly organization_id: OrganizationId
  readonly name: string
  readonly mark: KeyStatus
  readonly created_at: Date
  readonly expires_at: Date
}

const keySubject = (row: KeyRow): Subject => ({
  organizationId: row.organization_id,
  facts: {
    _tag: "Key",
    keyId: row.key_id,
    name: row.name,
    mark: row.mark,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime()
  }
})
