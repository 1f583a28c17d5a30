// Ids, codes and days compare as bytes, whatever the database's own collation is.
const byBytes = `text collate "C"`

const tables = ["release", "release_policy", "release_decision", "release_ending", "signing_key"]

/**
 * Certified releases (contract §2): each owns the rows that it was certified with, and nothing of it is ever
 * changed or deleted, which triggers hold. How a release ended is a row of its own.
 */
export const statements: ReadonlyArray<string> = [
  // Its rows are written before it, under a number that no other gets, in the one transaction that makes it.
  "create sequence release_number",
  `create table release (
    release_id ${byBytes} primary key,
    number bigint not null unique,
    manifest text not null,
    certified_at timestamptz not null,
    expires_at timestamptz not null,
    signature text not null
  )`,

  `create table release_policy (
    number bigint not null,
    policy_id ${byBytes} not null,
    policy_version integer not null,
    fingerprint text not null,
    source_document text not null,
    payer_code ${byBytes} not null,
    line_of_business text not null,
    effective_date text not null,
    retire_date text,
    primary key (number, policy_id)
  )`,
  `create table release_decision (
    number bigint not null,
    code ${byBytes} not null,
    policy_id ${byBytes} not null,
    code_system ${byBytes} not null,
    disposition text not null,
    record_sha256 bytea not null,
    primary key (number, code, policy_id, code_system)
  )`,
  // The order of the leaves of its Merkle tree, in which it is certified and exported.
  "create unique index release_leaf on release_decision (number, record_sha256)",

  `create table release_ending (
    release_id ${byBytes} not null references release,
    kind text not null check (kind in ('expired', 'revoked')),
    reason text,
    at timestamptz not null,
    primary key (release_id, kind)
  )`,

  // The private half is sealed under SECRET_KEY; the public half of a pair that signs no more stays
  // published.
  `create table signing_key (
    key_id ${byBytes} primary key,
    number bigint not null generated always as identity,
    public_key text not null,
    sealed bytea not null,
    created_at timestamptz not null default now()
  )`,

  ...tables.map(
    (table) =>
      `create trigger ${table}_kept before update or delete or truncate on ${table}
      for each statement execute function kept_as_it_is()`
  )
]
