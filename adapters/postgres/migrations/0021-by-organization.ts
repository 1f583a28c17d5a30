/**
 * Whose a row is becomes part of its key, so that the rows of an organization can live on one shard
 * (docs/operating.md). The id stays first: ids are given in time order, and are what rows are found by.
 *
 * A process of the version before goes on beside this one; the trigger fills in whose its attempts are.
 */
const byOrganization = (table: string, id: string): ReadonlyArray<string> => [
  `alter table ${table} drop constraint ${table}_pkey`,
  `alter table ${table} add primary key (${id}, organization_id)`
]

export const statements: ReadonlyArray<string> = [
  "lock table webhook_endpoint, webhook_delivery, webhook_attempt in access exclusive mode",
  "alter table webhook_attempt drop constraint webhook_attempt_delivery_id_fkey",
  "alter table webhook_delivery drop constraint webhook_delivery_endpoint_id_fkey",
  ...byOrganization("webhook_endpoint", "endpoint_id"),
  ...byOrganization("webhook_delivery", "delivery_id"),
  ...byOrganization("webhook_event", "webhook_id"),
  `alter table webhook_delivery add foreign key (endpoint_id, organization_id) references webhook_endpoint`,
  `alter table webhook_attempt add column organization_id text collate "C"`,
  `update webhook_attempt a set organization_id = d.organization_id
    from webhook_delivery d where d.delivery_id = a.delivery_id`,
  "alter table webhook_attempt alter column organization_id set not null",
  "alter table webhook_attempt drop constraint webhook_attempt_pkey",
  "alter table webhook_attempt add primary key (delivery_id, organization_id, attempt)",
  `alter table webhook_attempt add foreign key (delivery_id, organization_id) references webhook_delivery
    on delete cascade`,
  `create function fill_organization() returns trigger language plpgsql as $$
    begin
      select organization_id into new.organization_id from webhook_delivery where delivery_id = new.delivery_id;
      return new;
    end $$`,
  `create trigger whose_attempt before insert on webhook_attempt for each row
    when (new.organization_id is null) execute function fill_organization()`,

  ...byOrganization("acknowledgement", "acknowledgement_id"),
  ...byOrganization("audit_entry", "audit_id"),
  ...byOrganization("invitation", "invitation_id"),
  // Records refer to a consent by its id alone.
  "alter table oauth_record drop constraint oauth_record_grant_id_fkey",
  ...byOrganization("oauth_grant", "grant_id"),
  "alter table oauth_grant add constraint oauth_grant_by_id unique (grant_id)",
  `alter table oauth_record add foreign key (grant_id) references oauth_grant (grant_id) on delete cascade`
]
