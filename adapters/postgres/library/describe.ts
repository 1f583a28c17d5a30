import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "./textQuery.ts"

/**
 * Brings what searches derive from codes and titles up to a snapshot: the words of its codes' descriptions
 * are added to the policies that list them, and its words to the known ones. Words are only ever added. What
 * was written is then put in its place in the indexes, which every search would else read through.
 */
export const describe = (sql: SqlClient, snapshotId: string) =>
  Effect.all(
    [
      addWords(sql, sql`select code, code_system from code_edition where snapshot_id = ${snapshotId}`),
      know(
        sql,
        sql`select unnest(regexp_split_to_array(lower(title), '[^[:alpha:]]+')) as word
          from policy_version where snapshot_id = ${snapshotId}
          union all
          select unnest(c.words) from code_edition e join code c on c.code = e.code and c.code_system = e.code_system
          where e.snapshot_id = ${snapshotId}`
      ),
      sql`select gin_clean_pending_list('policy_version_search'), gin_clean_pending_list('policy_passage_words')`
    ],
    { discard: true }
  )

/** The same of what documents call these codes. */
export const describeCodes = (
  sql: SqlClient,
  codes: ReadonlyArray<{ readonly code: string; readonly code_system: string }>
) => {
  const given = sql`select code, code_system from unnest(${codes.map(({ code }) => code)}::text[],
    ${codes.map((each) => each.code_system)}::text[]) as g (code, code_system)`
  return Effect.andThen(
    addWords(sql, given),
    know(
      sql,
      sql`select unnest(regexp_split_to_array(lower(d.description), '[^[:alpha:]]+')) as word
        from code_description d join (${given}) g on g.code = d.code and g.code_system = d.code_system`
    )
  )
}

/** A change of many codes rewrites many policies, which takes longer than a call's statement may. */
const addWords = (sql: SqlClient, codes: Fragment) =>
  Effect.andThen(
    sql`set local statement_timeout = 0`,
    sql`
      update policy_version v set heading = v.heading || w.subject, search = v.search || w.words
      from (
        select policy_id, version, array_agg(code::text) as codes, array_agg(code_system::text) as systems
        from policy_code
        where (policy_id, version) in (
          select k.policy_id, k.version from (${codes}) e
          join policy_code k on k.code = e.code and k.code_system = e.code_system)
        group by policy_id, version) k
      cross join lateral words_of_codes(k.codes, k.systems) w
      where v.policy_id = k.policy_id and v.version = k.version and w.words <> ''`
  )

const know = (sql: SqlClient, words: Fragment) =>
  sql`
    insert into known_word
    select distinct word from (${words}) each where word ~ '^[[:alpha:]]{4,40}$'
    order by word on conflict do nothing`
