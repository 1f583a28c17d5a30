/**
 * Charges whose call has not answered yet (docs/decisions/0012), and usage summed by day for the usage page.
 */
export const statements: ReadonlyArray<string> = [
  // Rewritten with every group of charges. Kept on its page and uncompressed up to a few hundred calls: to
  // compress it or to store it out of line costs more than the bytes.
  `create table session (
    session_id text collate "C" primary key,
    version bigint not null,
    open text not null
  ) with (toast_tuple_target = 8160)`,
  "alter table session alter column open set storage external",
  // What usage has come to since it was last summed, one row for each charge or correction, in no order and
  // under no index: written with the charge, gathered and deleted every few seconds.
  `create table usage_pending (
    organization_id text collate "C" not null,
    operation text not null,
    caller text not null,
    source text not null,
    calls integer not null,
    credits integer not null,
    errors integer not null,
    at timestamptz not null
  )`,
  `create table usage_day (
    organization_id text collate "C" not null,
    day date not null,
    operation text collate "C" not null,
    caller text collate "C" not null,
    source text collate "C" not null,
    calls bigint not null,
    credits bigint not null,
    errors bigint not null,
    primary key (organization_id, day, operation, caller, source)
  ) with (fillfactor = 70)`
]
