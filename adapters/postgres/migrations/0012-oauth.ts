/**
 * The authorization server: consents, the records that belong to them, and clients that registered
 * themselves. A consent is a row beneath a membership and a token a row beneath a consent, so that whoever
 * leaves takes every token along in the statement that removes them. Nothing here opens anything: records are
 * found by a hash and are encrypted.
 */
export const statements: ReadonlyArray<string> = [
  // What is called client_id may be a URL of its own, and is no reference: such a client has no row.
  `create table oauth_grant (
    grant_id text collate "C" primary key,
    client_id text collate "C" not null,
    client_name text not null,
    person_id text not null,
    organization_id text collate "C" not null,
    connected_at timestamptz not null,
    ends_at timestamptz not null,
    last_used_at timestamptz,
    foreign key (organization_id, person_id) references membership (organization_id, person_id)
      on delete cascade
  )`,
  "create index oauth_grant_of_membership on oauth_grant (organization_id, person_id)",
  "create index oauth_grant_ended on oauth_grant (ends_at)",
  `create table oauth_record (
    model text collate "C" not null,
    hash text collate "C" not null,
    grant_id text collate "C" references oauth_grant on delete cascade,
    sealed bytea not null,
    expires_at timestamptz not null,
    spent_at timestamptz,
    primary key (model, hash)
  )`,
  "create index oauth_record_of_grant on oauth_record (grant_id) where grant_id is not null",
  "create index oauth_record_expired on oauth_record (expires_at)",
  `create table oauth_client (
    client_id text collate "C" primary key,
    metadata text not null,
    registered_at timestamptz not null,
    used_at timestamptz
  )`,
  "create index oauth_client_unused on oauth_client (registered_at) where used_at is null"
]
