import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { IsoTime } from "../../../core/coverage/date.ts"
import type { Policy } from "../../../core/coverage/Policy.ts"
import type { ChangeType } from "../../../core/coverage/revise.ts"
import type { ChangesQuery, RecordedChange } from "../../../core/port/Policies.ts"
import { plainText } from "./plainText.ts"
import { timeText } from "./timeText.ts"

export interface ChangeRow {
  readonly diff_id: bigint
  readonly policy: Policy
  readonly title: string
  readonly old_version: number | null
  readonly new_version: number
  readonly change_type: ChangeType
  readonly change_summary: string
  readonly changed_fields: ReadonlyArray<string>
  readonly added_codes: ReadonlyArray<string>
  readonly removed_codes: ReadonlyArray<string>
  readonly modified_criteria: ReadonlyArray<string>
  readonly changed_at: IsoTime
}

/** The policy as it is called now stands in its newest version. */
export const selectChanges = (sql: SqlClient) => sql`
  select c.diff_id, v.listing -> 'policy' as policy, v.title, c.old_version, c.new_version,
    c.change_type, c.change_summary, c.changed_fields, c.added_codes, c.removed_codes, c.modified_criteria,
    ${timeText(sql, "c.changed_at")} as changed_at
  from policy_change c
  join policy p on p.policy_id = c.policy_id
  join policy_version v on v.policy_id = p.policy_id and v.version = p.newest_version`

/** A page of so many changes; one row more than asked tells of a next page. */
export const changesPage = (rows: ReadonlyArray<ChangeRow>, limit: number) => {
  const changes = rows.slice(0, limit).map(changeOf)
  return { changes, next: rows.length > limit ? (changes.at(-1)?.diffId ?? null) : null }
}

const changeOf = (row: ChangeRow): RecordedChange => ({
  diffId: Number(row.diff_id),
  policy: row.policy,
  title: row.title,
  oldVersion: row.old_version,
  newVersion: row.new_version,
  changeType: row.change_type,
  changeSummary: row.change_summary,
  changedFields: row.changed_fields,
  addedCodes: row.added_codes,
  removedCodes: row.removed_codes,
  modifiedCriteria: row.modified_criteria,
  changedAt: row.changed_at
})

/** The changes that the query admits, one page by diff id, newest first. */
export const listChanges = (sql: SqlClient, query: ChangesQuery) =>
  Effect.map(
    sql<ChangeRow>`
      ${selectChanges(sql)}
      where ${admitted(sql, query)}
      order by c.diff_id desc limit ${query.limit + 1}`,
    (rows) => changesPage(rows, query.limit)
  )

const admitted = (sql: SqlClient, query: ChangesQuery) =>
  sql.and([
    ...(query.before === null ? [sql`true`] : [sql`c.diff_id < ${query.before}`]),
    ...(query.since === null ? [] : [sql`c.changed_at >= ${query.since}::timestamptz`]),
    ...(query.policyId === null ? [] : [sql`c.policy_id = ${plainText(query.policyId)}`]),
    ...(query.changeType === null ? [] : [sql`c.change_type = ${query.changeType}`]),
    ...(query.policyType === null ? [] : [sql`v.policy_type = ${query.policyType}`])
  ])
