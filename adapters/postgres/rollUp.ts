import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { atomically } from "./Database.ts"

/**
 * The usage rows that a snapshot, given as SQL, did not see. Both ends of the range are said, so that
 * PostgreSQL takes it for a narrow one and goes through the index of the transactions.
 */
export const usageSince = (snapshot: string): string => `(
    select * from usage
    where tx >= pg_snapshot_xmin(${snapshot}) and tx <= '18446744073709551615'
      and not pg_visible_in_snapshot(tx, ${snapshot})
  ) as tail`

/** The usage rows that are not in `usage_day` yet, as of a statement's snapshot. */
export const usageTail = usageSince("(select seen from usage_rolled_up)")

/** Held while usage is rolled up or corrected (migration 0019): who comes second rolls up another time. */
const rollUpLock = 62

/** Rows of one roll-up, and what is left of their transaction: some 100 ms. */
const rolledUpMax = 20_000

/**
 * Adds the next usage rows to `usage_day` inside an open transaction, and answers how many. What is in there
 * is remembered as the snapshot that saw it: a row that commits later comes later, and none is passed over or
 * taken twice, whatever its number or its time.
 */
export const rollUp = Effect.fnUntraced(function* (sql: SqlClient) {
  const [turn] = yield* sql<{
    readonly held: boolean
  }>`select pg_try_advisory_xact_lock(${rollUpLock}) as held,
    set_config('enable_seqscan', 'off', true)`
  if (turn?.held !== true) return 0
  const [row] = yield* sql.unsafe<{ readonly rows: bigint }>(rollUpSql)
  return Number(row?.rows ?? 0)
})

// Whose credits moved is looked at for notices (Notices.observe).
const addRowsSql = `summed as (
    select organization_id, (at at time zone 'UTC')::date as day, operation collate "C" as operation,
      caller collate "C" as caller, source collate "C" as source, coalesce(tool, '') collate "C" as tool,
      count(*) as calls, sum(case when status >= 500 then 0 else cost end) as credits,
      count(*) filter (where status >= 400) as errors, sum(cost) as charged
    from taken group by 1, 2, 3, 4, 5, 6
  ), added as (
    insert into usage_day as line
      (organization_id, day, operation, caller, source, tool, calls, credits, errors, charged)
    select * from summed
    on conflict (organization_id, day, operation, caller, source, tool) do update set
      calls = line.calls + excluded.calls, credits = line.credits + excluded.credits,
      errors = line.errors + excluded.errors, charged = line.charged + excluded.charged
  ), looked as (
    insert into notice_look (organization_id, endpoint_id)
    select distinct organization_id, 0 from taken order by 1 on conflict do nothing`

const rollUpSql = `with now as (
    select pg_current_snapshot() as seen
  ), last as (
    select tx from ${usageTail} order by tx offset ${rolledUpMax - 1} limit 1
  ), bound as (
    select greatest((last.tx::text::numeric + 1)::text::xid8, pg_snapshot_xmax(old.seen)) as tx
    from last, usage_rolled_up old
  ), next as materialized (
    select case when bound.tx < pg_snapshot_xmax(now.seen) then concat(
        least(bound.tx, pg_snapshot_xmin(now.seen)), ':', bound.tx, ':',
        (select string_agg(running::text, ',' order by running) from pg_snapshot_xip(now.seen) as running
          where running < bound.tx)
      )::pg_snapshot else now.seen end as seen
    from now left join bound on true
  ), taken as materialized (
    select * from ${usageTail} where pg_visible_in_snapshot(tx, (select seen from next))
  ), ${addRowsSql}
  ), moved as (
    update usage_rolled_up set seen = (select seen from next) where exists (select from taken)
  )
  select count(*) as rows from taken`

/**
 * Counts anew where the database was restored into a server whose transactions have lower numbers, before
 * anything is charged there: numbers from before would pass for some that are still to come.
 */
export const recountRestored = Effect.gen(function* () {
  const sql = yield* SqlClient
  const isRestored = Effect.map(
    sql<{ readonly ahead: boolean }>`select pg_snapshot_xmax(seen) > pg_snapshot_xmax(pg_current_snapshot())
      as ahead from usage_rolled_up`,
    ([row]) => row?.ahead === true
  )
  const recount = Effect.gen(function* () {
    yield* sql`set local statement_timeout = 0`
    yield* sql`lock table usage in exclusive mode`
    if (!(yield* isRestored)) return
    yield* sql.unsafe(recountSql)
    yield* sql`update usage set tx = null where tx is not null`
    yield* sql`update usage_rolled_up set seen = pg_current_snapshot()`
  })
  if (yield* isRestored) yield* atomically(recount)
})

const recountSql = `with taken as materialized (
    select * from ${usageTail}
  ), ${addRowsSql}
  )
  select count(*) from taken`
