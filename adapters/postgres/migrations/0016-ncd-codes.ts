const byBytes = `text collate "C"`

/**
 * The table from national determinations to procedure codes (coverage-domain §2.1, rule 4). Rows that the
 * service ships and rows of the operator's lie side by side, so that a new release replaces only its own.
 * The key begins with the code, by which rows are read.
 */
export const statements: ReadonlyArray<string> = [
  `create table ncd_code (
    code ${byBytes} not null,
    policy_id ${byBytes} not null,
    origin text not null check (origin in ('imported', 'shipped')),
    role text not null check (role in ('names', 'denies')),
    source text not null,
    source_url text,
    primary key (code, policy_id, origin)
  )`,
  `create trigger ncd_code_changed after insert or update or delete on ncd_code
    for each statement execute function next_generation()`
]
