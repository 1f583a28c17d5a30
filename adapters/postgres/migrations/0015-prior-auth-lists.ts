const byBytes = `text collate "C"`

/** The prior authorization list of each program; a later one replaces it (coverage-domain §2.1, rule 11). */
export const statements: ReadonlyArray<string> = [
  `create table prior_auth_list (
    program ${byBytes} primary key,
    list_as_of ${byBytes} not null,
    snapshot_id text not null,
    record json not null
  )`,
  // By row, so that a save which changes nothing leaves the generation alone.
  `create trigger prior_auth_list_changed after insert or update or delete on prior_auth_list
    for each row execute function next_generation()`
]
