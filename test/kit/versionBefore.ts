import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { accountOf } from "../../adapters/postgres/accounts.ts"
import type { AccountRow } from "../../adapters/postgres/accounts.ts"
import { atomically } from "../../adapters/postgres/Database.ts"
import type { Entry } from "../../core/organization/Account.ts"
import { refund } from "../../core/organization/credit.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Charge } from "../../core/port/Ledger.ts"

// The statements of a process from before migration 0019, as they were, where it charges, refunds, corrects
// and sums.

const charging = `with wanted as (
    select * from unnest(string_to_array($1, chr(10)), $2::int4[], $3::timestamptz[])
      with ordinality as w(organization_id, cost, latest, place)
  ), paid as (
    update account a set
      allowance = a.allowance - case when a.allowance > 0 then w.cost else 0 end,
      purchased = a.purchased - case when a.allowance > 0 then 0 else w.cost end
    from wanted w
    where a.organization_id = w.organization_id and w.latest < a.renews_at
      and w.cost <= case when a.allowance > 0 then a.allowance else a.purchased end
    returning a.organization_id, w.place, w.cost, w.latest, a.renews_at, old.allowance + old.purchased as available,
      case when old.allowance > 0 then 'allowance' else 'purchased' end as source
  ), batch as materialized (
    select p.organization_id, p.source as paid_from, p.renews_at, b.request_id,
      p.cost, p.latest as at, 'codes.lookup' as operation, 'key_1' as caller, 'api' as source
    from unnest(string_to_array($4, chr(10))) with ordinality as b(request_id, nth)
    join paid p on p.place = b.nth
  ), entered as (
    insert into ledger_entry (organization_id, reference, kind, source, amount, renews_at, at)
    select organization_id, request_id, 'charge', paid_from, cost, renews_at, at from batch
  ), used as (
    insert into usage (organization_id, request_id, operation, cost, status, caller, source, tool, person, at)
    select organization_id, request_id, operation, cost, 200, caller, source, null, null, at from batch
  ), pending as (
    insert into usage_pending (organization_id, operation, caller, source, tool, calls, credits, errors, at)
    select organization_id, operation, caller, source, '', 1, cost, 0, at from batch
  ), listed as (
    insert into session (session_id, version, open) values ($5, $6, $7)
    on conflict (session_id) do update set version = excluded.version, open = excluded.open
    where session.version < excluded.version
  )
  select place::int4, available::float8 from paid`

let version = 0

/** Whether it was charged; what the kernel would have had to decide was not. `open`: as its row lists it. */
export const chargedBefore = Effect.fnUntraced(function* (charge: Charge, open = "") {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.unsafe(charging, [
    charge.organizationId,
    [charge.cost],
    [new Date(charge.atMs).toISOString()],
    charge.requestId,
    "session of the version before",
    ++version,
    open
  ])
  return rows.length > 0
})

/** Corrects the row of a call. */
export const correctedBefore = Effect.fnUntraced(function* (charge: Charge, status: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`with ended as (
      select * from unnest(${[charge.organizationId]}::text[], ${[charge.requestId]}::text[],
        ${[status]}::int4[]) as e(organization_id, request_id, status)
    ), corrected as (
      update usage u set status = e.status from ended e
      where u.organization_id = e.organization_id and u.request_id = e.request_id
        and u.status = 200 and e.status <> 200
      returning u.organization_id, u.operation, u.caller, u.source, u.tool, u.cost, u.status, u.at
    )
    insert into usage_pending (organization_id, operation, caller, source, tool, calls, credits, errors, at)
    select organization_id, operation, caller, source, coalesce(tool, ''), 0,
      case when status >= 500 then -cost else 0 end, 1, at
    from corrected where status >= 400`
})

/** Whether the charge was given back; its usage row then says 503. */
export const refundedBefore = Effect.fnUntraced(function* (charge: Charge) {
  const sql = yield* SqlClient.SqlClient
  const { organizationId, requestId } = charge
  return yield* atomically(
    Effect.gen(function* () {
      const [row] = yield* sql<AccountRow>`select * from account
        where organization_id = any(${[organizationId]}) order by organization_id for update`
      if (row === undefined) return false
      const rows = yield* sql<EntryRow>`select e.organization_id, e.reference, e.kind, e.source, e.amount,
          e.renews_at, e.at
        from unnest(${[organizationId]}::text[], ${[requestId]}::text[]) as asked(organization_id, reference)
        join ledger_entry e using (organization_id, reference)`
      const earlier = rows.map((entry) => ({
        ...entry,
        amount: Number(entry.amount),
        renewsAtMs: entry.renews_at.getTime(),
        atMs: entry.at.getTime()
      }))
      const move = refund(accountOf(row), { requestId, nowMs: charge.atMs, earlier })
      if (!move.refunded) return false
      yield* sql`with moved as (
          update account set allowance = ${move.account.allowance}, purchased = ${move.account.purchased},
            overage_used = ${move.account.overageUsed}
          where organization_id = ${organizationId}
        )
        insert into ledger_entry (organization_id, reference, kind, source, amount, renews_at, at)
        select * from json_to_recordset(${entriesJson(organizationId, move.entries)}::json) as
          e(organization_id text, reference text, kind text, source text, amount bigint, renews_at timestamptz,
            at timestamptz)`
      yield* correctedBefore(charge, 503)
      return true
    })
  )
})

type EntryRow = Pick<Entry, "reference" | "kind" | "source"> & {
  readonly amount: bigint
  readonly renews_at: Date
  readonly at: Date
}

const entriesJson = (organizationId: OrganizationId, entries: ReadonlyArray<Entry>): string =>
  JSON.stringify(
    entries.map(({ renewsAtMs, atMs, ...entry }) => ({
      ...entry,
      organization_id: organizationId,
      renews_at: new Date(renewsAtMs),
      at: new Date(atMs)
    }))
  )

/** Sums what is pending. */
export const gatheredBefore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* atomically(
    Effect.gen(function* () {
      const [turn] = yield* sql<{ readonly held: boolean }>`select pg_try_advisory_xact_lock(62) as held`
      const [first] = yield* sql`select split_part(ctid::text, ',', 1) as page from usage_pending limit 1`
      if (turn?.held !== true || first === undefined) return
      yield* sql`with taken as (
          delete from usage_pending where ctid >= '(0,0)'::tid and ctid < '(400,0)'::tid returning *
        ), summed as (
          select organization_id, (at at time zone 'UTC')::date as day, operation collate "C" as operation,
            caller collate "C" as caller, source collate "C" as source, tool collate "C" as tool,
            sum(calls) as calls, sum(credits) as credits, sum(errors) as errors
          from taken group by 1, 2, 3, 4, 5, 6
        ), added as (
          insert into usage_day as line
            (organization_id, day, operation, caller, source, tool, calls, credits, errors)
          select * from summed
          on conflict (organization_id, day, operation, caller, source, tool) do update set
            calls = line.calls + excluded.calls, credits = line.credits + excluded.credits,
            errors = line.errors + excluded.errors
        )
        select count(*) as gathered from taken`
    })
  )
})

/** What an organization used by the calls of these ids. */
export const dayUseBefore = Effect.fnUntraced(function* (asked: {
  readonly organizationId: OrganizationId
  readonly from: string
  readonly until: string
}) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly used: bigint }>`select coalesce(sum(e.amount), 0)::bigint as used
    from ledger_entry e where e.organization_id = ${asked.organizationId} and e.reference >= ${asked.from}
      and e.reference < ${asked.until} and e.kind = 'charge'`
  return Number(row?.used)
})
