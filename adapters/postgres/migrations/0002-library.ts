// Days and codes compare as bytes, whatever the database's own collation is.
const byBytes = `text collate "C"`
const listByBytes = `text[] collate "C"`

/**
 * The library: policies by version, codes by edition, jurisdictions and the snapshots they came from. What
 * was kept is never overwritten (§2.7), which triggers hold. `policy_span` and `code` are derived and
 * rewritten: where a policy stands on each day as the kernel decided it, and the newest edition of each code.
 *
 * Documents are `json`, not `jsonb`: they are read whole and never asked into. A document's bulk lies in
 * columns of its own, so that lists read neither its text nor its codes.
 */
export const statements: ReadonlyArray<string> = [
  `create table snapshot (
    snapshot_id text primary key,
    kind ${byBytes} not null,
    source_as_of ${byBytes} not null,
    completed_at timestamptz not null,
    ordinal bigint generated always as identity
  )`,

  `create table policy (
    policy_id ${byBytes} primary key,
    title text not null default '',
    newest_version integer not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,

  `create table policy_version (
    policy_id ${byBytes} not null references policy,
    version integer not null check (version >= 1),
    snapshot_id text not null,
    status text not null,
    effective_date ${byBytes},
    retire_date ${byBytes},
    title text not null,
    policy_type text not null,
    payer_code text not null,
    national boolean not null,
    jurisdictions text[] not null,
    states text[] not null,
    related ${listByBytes} not null,
    recorded_at timestamptz not null,
    listing json not null,
    summary json not null,
    first_codes json not null,
    narrative json not null,
    criteria json not null,
    code_groups json not null,
    heading tsvector not null,
    search tsvector not null,
    primary key (policy_id, version)
  )`,
  // The heading ranks every match of a search, so it stays in the row while the bulk moves out of it.
  `alter table policy_version alter column heading set storage main`,
  `create index policy_version_search on policy_version using gin (search)`,

  `create table policy_span (
    policy_id ${byBytes} not null references policy,
    first_day ${byBytes} not null,
    last_day ${byBytes} not null,
    version integer not null,
    status text not null,
    policy_type text not null,
    payer_code text not null,
    national boolean not null,
    jurisdictions text[] not null,
    states text[] not null,
    related ${listByBytes} not null,
    primary key (policy_id, first_day),
    foreign key (policy_id, version) references policy_version
  )`,

  // Without a foreign key: the check of ten thousand rows costs as much as they do, and one statement writes
  // them all in the transaction of their version.
  `create table policy_code (
    code ${byBytes} not null,
    policy_id ${byBytes} not null,
    version integer not null,
    code_system ${byBytes} not null,
    disposition text not null,
    source text not null,
    primary key (code, policy_id, version, code_system)
  )`,

  `create table policy_change (
    diff_id bigint generated always as identity primary key,
    policy_id ${byBytes} not null,
    old_version integer,
    new_version integer not null,
    change_type text not null,
    change_summary text not null,
    changed_fields text[] not null,
    added_codes text[] not null,
    removed_codes text[] not null,
    modified_criteria text[] not null,
    changed_at timestamptz not null,
    foreign key (policy_id, new_version) references policy_version
  )`,
  `create index policy_change_policy on policy_change (policy_id, diff_id desc)`,
  `create index policy_change_type on policy_change (change_type, diff_id desc)`,
  `create index policy_change_time on policy_change (changed_at, diff_id)`,

  `create table code_edition (
    code ${byBytes} not null,
    code_system ${byBytes} not null,
    edition integer not null check (edition >= 1),
    snapshot_id text not null,
    first_day ${byBytes} not null,
    record json not null,
    primary key (code, code_system, edition)
  )`,
  `create table code (
    code ${byBytes} not null,
    code_system ${byBytes} not null,
    edition integer not null,
    record json not null,
    words text[] not null,
    primary key (code, code_system)
  )`,
  `create index code_words on code using gin (words)`,

  `create table jurisdiction (
    jurisdiction_code ${byBytes} primary key,
    record json not null
  )`,

  `create function kept_as_it_is() returns trigger language plpgsql as $$
  begin
    raise exception 'rows of % are kept as they are', tg_table_name;
  end $$`,
  ...["policy_version", "policy_code", "policy_change", "code_edition"].map(
    (table) =>
      `create trigger ${table}_kept before update or delete or truncate on ${table}
      for each statement execute function kept_as_it_is()`
  ),

  // One row that every transaction which may change an answer writes: what is remembered of the library under
  // a generation is right as long as it stands. A sequence would count before the change can be read.
  `create table library_generation (
    single boolean primary key default true check (single),
    generation bigint not null
  )`,
  "insert into library_generation (generation) values (0)",
  `create function next_generation() returns trigger language plpgsql as $$
  begin
    update library_generation set generation = generation + 1;
    return null;
  end $$`,
  ...["policy_span", "code", "jurisdiction", "snapshot"].map(
    (table) =>
      `create trigger ${table}_changed after insert or update or delete on ${table}
      for each statement execute function next_generation()`
  )
]
