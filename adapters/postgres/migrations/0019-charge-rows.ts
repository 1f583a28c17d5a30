/**
 * A charge is one row of `usage` (docs/decisions/0036). `credit_move` keeps what else moves credits, what
 * two sources paid for together, and every charge from before.
 *
 * A process of the version before goes on beside this one: it reads and writes `ledger_entry`, now a view,
 * its rows of `usage_pending` are dropped, and its corrections reach `usage_day` by the triggers below.
 */
export const statements: ReadonlyArray<string> = [
  // In the order in which charges lock them, so that none is met in a circle.
  "lock table account in exclusive mode",
  "lock table ledger_entry, usage, usage_pending, usage_day in access exclusive mode",

  "alter table ledger_entry rename to credit_move",
  "alter table usage add column paid_from text, add column renews_at timestamptz, add column tx xid8",
  // Null: charged before this migration, and in usage_day already.
  "alter table usage alter column tx set default pg_current_xact_id()",
  "create index usage_tail on usage (tx) where tx is not null",
  // By time still, since ids begin with it, and by whose it is, so that rows can be spread by organization.
  "alter table usage drop constraint usage_pkey",
  "alter table usage add primary key (request_id, organization_id)",

  // The condition is outside, so that a join by a reference goes through the keys of both tables.
  `create view ledger_entry as
    select * from (
      select organization_id, reference, kind, source, amount, renews_at, at from credit_move
      union all
      select organization_id, request_id, 'charge'::text, paid_from, cost::bigint, renews_at, at from usage
    ) as entry where source is not null`,
  `create function write_credit_move() returns trigger language plpgsql as $$
    begin
      insert into credit_move (organization_id, reference, kind, source, amount, renews_at, at)
      values (new.organization_id, new.reference, new.kind, new.source, new.amount, new.renews_at, new.at);
      return new;
    end $$`,
  `create trigger into_credit_move instead of insert on ledger_entry
    for each row execute function write_credit_move()`,

  `insert into usage_day as line (organization_id, day, operation, caller, source, tool, calls, credits, errors)
    select organization_id, (at at time zone 'UTC')::date, operation, caller, source, tool,
      sum(calls), sum(credits), sum(errors)
    from usage_pending group by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, day, operation, caller, source, tool) do update set
      calls = line.calls + excluded.calls, credits = line.credits + excluded.credits,
      errors = line.errors + excluded.errors`,
  `insert into notice_look (organization_id, endpoint_id)
    select distinct organization_id, 0 from usage_pending order by 1 on conflict do nothing`,
  "truncate usage_pending",
  `create function leave_out() returns trigger language plpgsql as $$ begin return null; end $$`,
  "create trigger counted_otherwise before insert on usage_pending for each row execute function leave_out()",

  // What the calls cost, refunds not taken off. Until here that is what was spent and what was given back.
  "alter table usage_day add column charged bigint not null default 0",
  "update usage_day set charged = credits",
  `update usage_day line set charged = line.credits + given_back.cost
    from (
      select organization_id, (at at time zone 'UTC')::date as day, operation, caller, source,
        coalesce(tool, '') as tool, sum(cost) as cost
      from usage where status >= 500 group by 1, 2, 3, 4, 5, 6
    ) as given_back
    where (line.organization_id, line.day, line.operation, line.caller, line.source, line.tool) =
      (given_back.organization_id, given_back.day, given_back.operation, given_back.caller, given_back.source,
        given_back.tool)`,

  // The rows that this snapshot sees are in usage_day. A charge that waits for this migration may have its
  // number already: it is not among them.
  "create table usage_rolled_up (seen pg_snapshot not null)",
  "insert into usage_rolled_up select pg_current_snapshot()",

  // Taken before any row of usage is locked: a roll-up under way has ended, and none begins until the
  // correction is committed.
  `create function hold_roll_up() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(62);
      return null;
    end $$`,
  // A row that is not rolled up yet will be as it is then.
  `create function correct_usage_day() returns trigger language plpgsql as $$
    declare
      rolled_up pg_snapshot := (select seen from usage_rolled_up);
    begin
      with corrected as (
        select b.*, case when a.status >= 500 then 0 else a.cost end as net,
          case when a.status >= 400 then 1 else 0 end as error
        from was b join became a using (request_id, organization_id)
        where a.status <> b.status and (b.tx is null or pg_visible_in_snapshot(b.tx, rolled_up))
      ), summed as (
        select organization_id, (at at time zone 'UTC')::date as day, operation, caller, source,
          coalesce(tool, '') as tool, sum(net - case when status >= 500 then 0 else cost end) as credits,
          sum(error - case when status >= 400 then 1 else 0 end) as errors
        from corrected group by 1, 2, 3, 4, 5, 6
      ), looked as (
        insert into notice_look (organization_id, endpoint_id)
        select distinct organization_id, 0 from summed order by 1 on conflict do nothing
      )
      update usage_day line set credits = line.credits + s.credits, errors = line.errors + s.errors
      from summed s
      where line.organization_id = s.organization_id and line.day = s.day and line.operation = s.operation
        and line.caller = s.caller and line.source = s.source and line.tool = s.tool;
      return null;
    end $$`,
  `create trigger before_correction before update on usage
    for each statement execute function hold_roll_up()`,
  `create trigger corrected after update on usage referencing old table as was new table as became
    for each statement execute function correct_usage_day()`
]
