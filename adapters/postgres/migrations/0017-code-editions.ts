const byBytes = `text collate "C"`

/**
 * The edition of each file of codes, the rows of fee schedules, and what documents call codes. A snapshot
 * that was completed before has no edition: the kernel takes the year of its day (core/coverage/CodeTable).
 * Fees are kept under their snapshot and never change; descriptions are rewritten by imports of documents.
 */
export const statements: ReadonlyArray<string> = [
  "alter table snapshot add column edition json",

  `create table fee_schedule (
    snapshot_id ${byBytes} not null,
    code ${byBytes} not null,
    modifier ${byBytes} not null,
    record json not null,
    primary key (snapshot_id, code, modifier)
  )`,
  `create trigger fee_schedule_kept before update or delete or truncate on fee_schedule
    for each statement execute function kept_as_it_is()`,

  `create table code_description (
    code ${byBytes} not null,
    code_system ${byBytes} not null,
    description text not null,
    primary key (code, code_system)
  )`,
  `create trigger code_description_changed after insert or update or delete on code_description
    for each statement execute function next_generation()`
]
