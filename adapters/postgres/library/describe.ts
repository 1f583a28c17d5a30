import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * Brings what searches derive from codes and titles up to a snapshot: the words of its codes' descriptions
 * are added to the policies that list them, and its words to the known ones. Words are only ever added. A
 * change of many codes rewrites many policies, which takes longer than a call's statement may. What was
 * written is then put in its place in the indexes, which every search would else read through.
 */
export const describe = (sql: SqlClient, snapshotId: string) =>
  Effect.all(
    [
      sql`set local statement_timeout = 0`,
      sql`
        update policy_version v set heading = v.heading || w.subject, search = v.search || w.words
        from (
          select policy_id, version, array_agg(code::text) as codes, array_agg(code_system::text) as systems
          from policy_code
          where (policy_id, version) in (
            select k.policy_id, k.version from code_edition e
            join policy_code k on k.code = e.code and k.code_system = e.code_system
            where e.snapshot_id = ${snapshotId})
          group by policy_id, version) k
        cross join lateral words_of_codes(k.codes, k.systems, null) w
        where v.policy_id = k.policy_id and v.version = k.version and w.words <> ''`,
      sql`
        insert into known_word
        select distinct word from (
          select unnest(regexp_split_to_array(lower(title), '[^[:alpha:]]+')) as word
          from policy_version where snapshot_id = ${snapshotId}
          union all
          select unnest(c.words) from code_edition e join code c on c.code = e.code and c.code_system = e.code_system
          where e.snapshot_id = ${snapshotId}) each
        where word ~ '^[[:alpha:]]{4,40}$'
        order by word
        on conflict do nothing`,
      sql`select gin_clean_pending_list('policy_version_search'), gin_clean_pending_list('policy_passage_words')`
    ],
    { discard: true }
  )
