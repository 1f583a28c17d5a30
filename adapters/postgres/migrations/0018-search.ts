const byBytes = `text collate "C"`

/** What PostgreSQL makes an index entry of; the import cuts where this cuts (library/savePolicy.ts). */
const charactersMax = 150_000

/**
 * Searches find policies by the words of their codes' descriptions too, and by words spelled nearly as they
 * were asked for.
 *
 * `heading` and `search` derive from what is kept, so codes that are imported may rewrite them. `heading` now
 * tells the title (A) from the keywords and what most procedure codes are about (B) and from the summary (C);
 * `search` also holds the words of the codes' descriptions, with a `~` before them. A process of the version
 * before goes on writing rows without either: they are found by their title and text.
 */
export const statements: ReadonlyArray<string> = [
  "drop trigger policy_version_kept on policy_version",

  // A third of the described procedure codes makes a subject, as in the kernel (search.ts, subjectShare).
  // What a code's table and what documents call it, by their words.
  `create function words_of_codes(codes text[], systems text[], out subject tsvector, out words tsvector)
  stable language sql as $$
    with listed as (
      select g.code, g.code_system, coalesce(c.words, '{}')
        || regexp_split_to_array(lower(coalesce(d.description, '')), '[^[:alnum:]]+') as words
      from unnest(codes, systems) as g (code, code_system)
      left join code c on c.code = g.code and c.code_system = g.code_system
      left join code_description d on d.code = g.code and d.code_system = g.code_system
    ), each as (
      select word, count(distinct code) filter (where code_system = 'HCPCS') as mentions
      from listed cross join unnest(listed.words) as word where word <> '' group by word
    ), share as (
      select count(distinct code) filter (where code_system = 'HCPCS' and words <> '{""}') / 3.0 as least from listed
    )
    select
      setweight(to_tsvector('english',
        coalesce(string_agg(word, ' ') filter (where mentions > 0 and mentions >= least), '')), 'B'),
      (select coalesce(array_to_tsvector(array_agg('~' || lexeme)), '')
        from unnest(tsvector_to_array(to_tsvector('english',
          left(coalesce(string_agg(word, ' '), ''), ${charactersMax})))) as lexeme)
    from each, share
  $$`,

  `update policy_version v set
    heading = setweight(to_tsvector('english', left(v.policy_id || ' ' || v.title, ${charactersMax})), 'A')
      || setweight(ts_filter(v.heading, '{a}'), 'B') || setweight(ts_filter(v.heading, '{b}'), 'C')`,
  `update policy_version v set heading = v.heading || w.subject, search = v.search || w.words
    from (select policy_id, version, array_agg(code::text) as codes, array_agg(code_system::text) as systems
      from policy_code group by policy_id, version) k
    cross join lateral words_of_codes(k.codes, k.systems) w
    where v.policy_id = k.policy_id and v.version = k.version and w.words <> ''`,

  // All else of a version stays as it was kept.
  `do $$ begin
    execute format('create trigger policy_version_kept before update of %s or delete or truncate on policy_version
      for each statement execute function kept_as_it_is()', (select string_agg(quote_ident(attname), ', ')
      from pg_attribute where attrelid = 'policy_version'::regclass and attnum > 0 and not attisdropped
        and attname not in ('heading', 'search')));
  end $$`,

  // The words of titles and of codes' descriptions, as they are written.
  `create table known_word (word ${byBytes} primary key)`,
  `insert into known_word
    select distinct word from (
      select unnest(regexp_split_to_array(lower(title), '[^[:alpha:]]+')) as word from policy_version
      union all select unnest(words) from code
      union all select unnest(regexp_split_to_array(lower(description), '[^[:alpha:]]+')) from code_description) each
    where word ~ '^[[:alpha:]]{4,40}$'`,
  // Without the extension, or the right to create it, searches go by words alone (docs/operating.md).
  `do $$ begin
    create extension if not exists pg_trgm;
    create index known_word_trigrams on known_word using gin (word gin_trgm_ops);
  exception when others then null;
  end $$`
]
