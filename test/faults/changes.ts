import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** So many changes more of the newest version that the library has; gives their ids. */
export const addChanges = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly diff_id: bigint }>`insert into policy_change
      (policy_id, old_version, new_version, change_type, change_summary, changed_fields, added_codes,
        removed_codes, modified_criteria, changed_at)
      select policy_id, null, version, 'updated', 'A change of the tests.', array[]::text[], array[]::text[],
        array[]::text[], array[]::text[], now()
      from (select policy_id, version from policy_version limit 1) v, generate_series(1, ${count})
      returning diff_id`
    return rows.map(({ diff_id }) => Number(diff_id))
  })
