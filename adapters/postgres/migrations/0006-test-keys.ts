/**
 * A test key may be an organization of its own (contract §3): it then names none, so that the sandbox adds no
 * organization, account or ledger row, however many keys it gives away.
 */
export const statements: ReadonlyArray<string> = [
  "alter table api_key alter column organization_id drop not null",
  "alter table api_key add constraint only_test_keys_alone check (organization_id is not null or mode = 'test')"
]
