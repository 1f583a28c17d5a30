import * as Base64 from "effect/encoding/Base64"
import { keptMs } from "../../core/idempotency/record.ts"
import type { PlainWrite } from "../../core/port/PlainWrites.ts"
import { plainText } from "./library/plainText.ts"
import { chargeSql } from "./chargeFast.ts"
import type { EndpointRow } from "./webhook/rows.ts"

/** A write as the statement takes it: `version` names the row that its sealed answer was made for. */
export interface PreparedWrite extends PlainWrite {
  readonly version: string | null
  readonly answer: Uint8Array | null
}

/** An endpoint's row but for its secrets, which no answer shows. */
export type ShownRow = Omit<EndpointRow, "secrets">

/** The columns of `ShownRow`, in the order in which the statement answers them. */
export const shownColumns = [
  "endpoint_id",
  "organization_id",
  "url",
  "events",
  "status",
  "failure_count",
  "failing_since",
  "created_at",
  "updated_at"
] as const satisfies ReadonlyArray<keyof ShownRow>

/** What amendEndpoint of the kernel asks of the row `e`, and a sealed answer besides. */
const isPlain = `e.status <> 'deleted' and (not w.active or (e.status = 'active' and e.failure_count = 0))
      and (w.version is null or e.xmin::text = w.version)`

/**
 * Carries a batch of plain writes out and commits by itself. The endpoints are locked first and the accounts
 * after them, as by every write. What is not plain, cannot be paid or has a record is left out, and found
 * missing in the answer; where anything changed between looking and locking, the last line refuses the whole.
 */
export const plainStatement = `with asked as materialized (
    select w.*, sum(cost) over (partition by organization_id) as total
    from json_to_recordset($1::json) as w(
      organization_id text, endpoint_id bigint, url text, events text[], active boolean, touches boolean,
      version text, request_id text, cost integer, operation text, caller text, source text, at timestamptz,
      charged_at timestamptz, record_id text, fingerprint text, answer text, logged_at timestamptz, actor text,
      actor_id text, actor_label text, action text, subject text, detail text)
  ), plain as materialized (
    select w.* from asked w
    join webhook_endpoint e on e.endpoint_id = w.endpoint_id and e.organization_id = w.organization_id
    join account a on a.organization_id = w.organization_id
    where ${isPlain} and w.charged_at < a.renews_at
      and w.total <= case when a.allowance > 0 then a.allowance else a.purchased end
      and not exists (select from idempotency i where i.record_id = w.record_id)
    order by w.endpoint_id
  ), changed as (
    update webhook_endpoint e set url = coalesce(w.url, e.url), events = coalesce(w.events, e.events),
      updated_at = case when w.touches then w.at else e.updated_at end
    from plain w where e.endpoint_id = w.endpoint_id and ${isPlain}
    returning ${shownColumns.map((name) => `e.${name}`).join(", ")}, w.request_id
  ), ${chargeSql({
    ofAccounts: `from (select organization_id, sum(cost) as cost, max(charged_at) as charged_at from plain group by 1) w
    where a.organization_id = w.organization_id and (select count(*) from changed) > 0`,
    cost: "w.cost",
    at: "w.charged_at",
    rows: `w.request_id, w.cost, w.operation, w.caller, w.source, null, null, w.charged_at
    from plain w join paid p on p.organization_id = w.organization_id`
  })}, kept as (
    insert into idempotency (record_id, state, fence, fingerprint, begun_at, until, answer)
    select record_id, 'done', 1, fingerprint, now, now + interval '${keptMs} milliseconds', decode(answer, 'base64')
    from plain, (select coalesce(to_timestamp($2::float8 / 1000),
      date_trunc('milliseconds', clock_timestamp())) as now) as clock
    where record_id is not null
    on conflict (record_id) do nothing returning 1
  ), logged as (
    insert into audit_entry (organization_id, at, actor, actor_id, actor_label, action, subject, detail)
    select organization_id, logged_at, actor, actor_id, actor_label, action, subject, detail
    from plain where logged_at is not null and touches
  )
  select ${shownColumns.map((name) => `c.${name}`).join(", ")}, c.request_id, p.available::float8,
    1 / (case when (select count(*) from changed) = (select count(*) from plain)
      and (select count(*) from paid) = (select count(distinct organization_id) from plain)
      and (select count(*) from kept) = (select count(record_id) from plain) then 1 else 0 end)
  from (values (1)) as once left join (changed c join paid p on p.organization_id = c.organization_id) on true`

/** The statement's parameters; `givenMs` is the caller's clock, null the server's own. */
export const plainParameters = (
  writes: ReadonlyArray<PreparedWrite>,
  givenMs: number | null
): ReadonlyArray<unknown> => [JSON.stringify(writes.map(jsonOf)), givenMs]

const jsonOf = ({ amendment, charge, kept, version, answer }: PreparedWrite) => {
  const { place, patch, atMs, entry } = amendment
  const actor = entry?.actor
  return {
    organization_id: place.organizationId,
    endpoint_id: place.endpointId,
    url: patch.url ?? null,
    events: patch.events === undefined ? null : [...new Set(patch.events)],
    active: patch.status === "active",
    // What is active already is not changed by being set active.
    touches: patch.status !== "active" || patch.url !== undefined || patch.events !== undefined,
    version,
    request_id: charge.requestId,
    cost: charge.cost,
    operation: charge.operation,
    caller: charge.caller,
    source: charge.source,
    at: new Date(atMs),
    charged_at: new Date(charge.atMs),
    record_id: kept?.recordId ?? null,
    fingerprint: kept?.fingerprint ?? null,
    answer: answer === null ? null : Base64.encode(answer),
    logged_at: entry?.at ?? null,
    actor: actor?.kind ?? null,
    actor_id: actor !== undefined && "id" in actor ? plainText(actor.id) : null,
    actor_label: actor !== undefined && "label" in actor ? plainText(actor.label) : null,
    action: entry?.action ?? null,
    subject: entry === undefined ? null : plainText(entry.subject),
    detail: entry === undefined || entry.detail === null ? null : plainText(entry.detail)
  }
}
