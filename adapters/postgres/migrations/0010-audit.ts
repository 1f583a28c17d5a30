/**
 * The audit log of each organization (usage and keys dashboard): what was written is never changed or
 * deleted, which a trigger holds as in the ledger. An organization need not have a row here or elsewhere: its
 * log outlives whatever it tells of.
 */
export const statements: ReadonlyArray<string> = [
  `create table audit_entry (
    audit_id bigint generated always as identity primary key,
    organization_id text collate "C" not null,
    at timestamptz not null,
    actor text not null check (actor in ('person', 'key', 'operator', 'service')),
    actor_id text,
    actor_label text,
    action text not null,
    subject text not null,
    detail text,
    check ((actor in ('person', 'key')) = (actor_id is not null and actor_label is not null))
  )`,
  // A page is a range of it, whatever the length of the log.
  "create index audit_of_organization on audit_entry (organization_id, audit_id)",
  `create trigger append_only before update or delete on audit_entry
    for each row execute function refuse_change()`,
  `create trigger append_only_truncate before truncate on audit_entry
    for each statement execute function refuse_change()`
]
