const byBytes = `text collate "C"`

/** What PostgreSQL makes an index entry of; the import cuts where this cuts (library/savePolicy.ts). */
const passageCharactersMax = 150_000

/**
 * What coverage decisions read beside the library: payers, the NCCI edits, and the passages of policies so
 * that their words are found. Edits and passages are kept as they were imported, like all that 0002 keeps.
 */
export const statements: ReadonlyArray<string> = [
  `create table payer (
    code ${byBytes} primary key,
    record json not null
  )`,

  // An edition is a row told anew that differs; the highest one of an edit answers. There are millions of
  // pairs, so the key begins with what is asked for and is the only index.
  `create table ptp_edit (
    column1 ${byBytes} not null,
    column2 ${byBytes} not null,
    service ${byBytes} not null,
    effective_date ${byBytes} not null,
    edition integer not null check (edition >= 1),
    deletion_date ${byBytes},
    modifier_indicator smallint not null check (modifier_indicator in (0, 1, 9)),
    rationale text,
    snapshot_id text not null,
    primary key (column1, column2, service, effective_date, edition)
  )`,
  // The newest table of a service that begins by a day is the first row of a range of the key.
  `create table mue_edit (
    service ${byBytes} not null,
    effective_date ${byBytes} not null,
    code ${byBytes} not null,
    edition integer not null check (edition >= 1),
    units integer not null check (units >= 0),
    adjudication smallint not null check (adjudication in (1, 2, 3)),
    rationale text,
    snapshot_id text not null,
    primary key (service, effective_date, code, edition)
  )`,

  `create table policy_passage (
    policy_id ${byBytes} not null,
    version integer not null,
    ordinal integer not null check (ordinal >= 0),
    section text not null,
    block json not null,
    words tsvector not null,
    primary key (policy_id, version, ordinal)
  )`,
  // Every match of a search is ranked by its words, so they stay in the row while the text moves out of it.
  "alter table policy_passage alter column words set storage main",
  // Of the versions that were kept before this table was there. PostgreSQL refuses to look into a JSON text
  // that holds NUL or half a character: such a passage is found by the words of its JSON.
  `insert into policy_passage (policy_id, version, ordinal, section, block, words)
    select v.policy_id, v.version, (each.position - 1)::int4, substring(each.block::text from '"section":"([a-z]+)"'),
      each.block, to_tsvector('english', left(
        case when each.block::text ~* '\\\\u(0000|d[89a-f])' then each.block::text else each.block ->> 'text' end,
        ${passageCharactersMax}))
    from policy_version v, json_array_elements(v.criteria) with ordinality as each (block, position)`,
  "create index policy_passage_words on policy_passage using gin (words)",

  ...["ptp_edit", "mue_edit", "policy_passage"].map(
    (table) =>
      `create trigger ${table}_kept before update or delete or truncate on ${table}
      for each statement execute function kept_as_it_is()`
  ),
  ...["payer", "ptp_edit", "mue_edit"].map(
    (table) =>
      `create trigger ${table}_changed after insert or update or delete on ${table}
      for each statement execute function next_generation()`
  )
]
