/**
 * Organizations, their accounts and keys, the ledger and usage. Ids compare byte by byte (`collate "C"`), so
 * that request ids, which begin with their time, can carry the partitions.
 */
export const statements: ReadonlyArray<string> = [
  `create table organization (
    organization_id text collate "C" primary key,
    name text not null,
    suspended boolean not null default false,
    suspended_reason text,
    concurrent_max integer check (concurrent_max >= 1),
    owner_email text,
    created_at timestamptz not null
  )`,
  // Every charge rewrites its account row, so half of each page is left free: an update then stays on its
  // page and touches no index.
  `create table account (
    organization_id text collate "C" primary key references organization,
    pack text not null,
    next_pack text,
    allowance bigint not null check (allowance >= 0),
    purchased bigint not null check (purchased >= 0),
    overage_used bigint not null check (overage_used >= 0),
    overage_cap bigint check (overage_cap >= 0),
    renews_at timestamptz not null
  ) with (fillfactor = 50)`,
  `create table api_key (
    key_id text collate "C" primary key,
    hash text collate "C" not null unique,
    organization_id text collate "C" not null references organization,
    name text not null,
    mode text not null,
    scopes text[] not null,
    mark text not null,
    reason text,
    created_at timestamptz not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    allowed_cidrs text[] not null,
    allowed_origins text[] not null,
    release_id text
  )`,
  "create index api_key_of_organization on api_key (organization_id, key_id)",
  // The one index: what a refund, a second charge and a statement ask for all begins with the organization.
  // The key is also the promise that a refund happens once.
  `create table ledger_entry (
    organization_id text collate "C" not null,
    reference text collate "C" not null,
    kind text not null check (kind in ('charge', 'refund', 'grant', 'expire')),
    source text not null check (source in ('allowance', 'purchased', 'overage')),
    amount bigint not null check (amount > 0),
    renews_at timestamptz not null,
    at timestamptz not null,
    primary key (organization_id, reference, kind, source)
  ) partition by range (reference)`,
  // Grants, packs and renewals sort before `req_`: a few rows a month, which stay when requests are archived.
  "create table ledger_entry_terms partition of ledger_entry for values from (minvalue) to ('req_')",
  "create table ledger_entry_rest partition of ledger_entry default",
  `create table usage (
    organization_id text collate "C" not null,
    request_id text collate "C" not null,
    operation text not null,
    cost integer not null,
    status smallint not null,
    caller text not null,
    source text not null,
    tool text,
    person text,
    at timestamptz not null,
    primary key (organization_id, request_id)
  ) partition by range (request_id)`,
  "create table usage_rest partition of usage default",
  `create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% rows are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
    end $$`,
  `create trigger append_only before update or delete on ledger_entry
    for each row execute function refuse_change()`,
  `create trigger append_only_truncate before truncate on ledger_entry
    for each statement execute function refuse_change()`,
  "create trigger kept before delete on api_key for each row execute function refuse_change()",
  "create trigger kept_truncate before truncate on api_key for each statement execute function refuse_change()"
]
