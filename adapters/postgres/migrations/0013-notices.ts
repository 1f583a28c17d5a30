const byBytes = `text collate "C"`

/**
 * What owners must hear of: what is to be looked at, what was told, the letters on their way, what people
 * dismissed, and from where they sign in.
 */
export const statements: ReadonlyArray<string> = [
  // Put here by whatever moves credits or disables an endpoint (endpoint_id 0: the account), and deleted when
  // it was looked at: what did nothing costs no look.
  `create table notice_look (
    organization_id ${byBytes} not null,
    endpoint_id bigint not null,
    primary key (organization_id, endpoint_id)
  )`,
  // In the transaction that disables the endpoint, whichever that is, so that none is missed.
  `create function look_at_endpoint() returns trigger language plpgsql as $$
    begin
      insert into notice_look (organization_id, endpoint_id) values (new.organization_id, new.endpoint_id)
      on conflict do nothing;
      return null;
    end $$`,
  `create trigger look_when_disabled after update of status on webhook_endpoint for each row
    when (new.status = 'disabled' and old.status <> 'disabled') execute function look_at_endpoint()`,
  `create index api_key_expiring on api_key (expires_at)
    where expires_at is not null and mark = 'valid' and organization_id is not null`,
  // Of an organization or of one person. Its key is the promise that a kind is told once in its period.
  `create table notice (
    notice_id bigint generated always as identity primary key,
    organization_id ${byBytes} references organization,
    person_id text,
    kind ${byBytes} not null,
    period ${byBytes} not null,
    told json not null,
    at timestamptz not null,
    check ((organization_id is null) <> (person_id is null)),
    unique nulls not distinct (organization_id, person_id, period, kind)
  )`,
  "create index notice_of_organization on notice (organization_id, notice_id) where organization_id is not null",
  "create index notice_of_person on notice (person_id, notice_id) where person_id is not null",
  "create index notice_by_age on notice (at)",
  `create table notice_letter (
    letter_id bigint generated always as identity primary key,
    notice_id bigint not null references notice on delete cascade,
    person_id text,
    email text not null,
    attempts integer not null default 0,
    due_at timestamptz not null
  )`,
  "create index notice_letter_due on notice_letter (due_at)",
  "create index notice_letter_of_notice on notice_letter (notice_id)",
  `create table notice_dismissal (
    notice_id bigint not null references notice on delete cascade,
    person_id text not null,
    primary key (notice_id, person_id)
  )`,
  // Hashes of addresses and browsers. A sign-in forgets the person's older ones.
  `create table person_device (
    person_id text not null,
    device ${byBytes} not null,
    seen_at timestamptz not null,
    primary key (person_id, device)
  )`
]
