import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { criticalChangeTypes } from "../../core/compliance/stats.ts"
import type { PolicyId } from "../../core/coverage/Policy.ts"
import { Reviews, ReviewsUnavailable } from "../../core/port/Reviews.ts"
import type { UnreviewedQuery } from "../../core/port/Reviews.ts"
import { Pool, unavailable } from "./Database.ts"
import { changesPage, selectChanges } from "./library/changeRows.ts"
import type { ChangeRow } from "./library/changeRows.ts"

/** The changes of the library in PostgreSQL by what is acknowledged of them. */
export const layer = Layer.effect(
  Reviews,
  Effect.gen(function* () {
    const sql = yield* Pool
    const away = unavailable((fault) => new ReviewsUnavailable({ fault }))
    return Reviews.of({
      named: (diffIds) =>
        away(
          Effect.map(
            sql<{ readonly diff_id: bigint; readonly policy_id: PolicyId }>`select diff_id, policy_id
              from policy_change where diff_id = any(${diffIds.map(String)}::text[]::int8[])`,
            (rows) => new Map(rows.map((row) => [Number(row.diff_id), row.policy_id] as const))
          )
        ),
      unreviewed: (query) =>
        away(Effect.map(unreviewed(sql, query), (rows) => changesPage(rows, query.limit))),
      counts: (query) =>
        away(
          Effect.map(counts(sql, query), ([row]) => ({
            total: row?.total ?? 0,
            acknowledged: row?.acknowledged ?? 0,
            criticalUnreviewed: row?.critical_unreviewed ?? 0
          }))
        )
    })
  })
)

const unreviewed = (sql: SqlClient, query: UnreviewedQuery) => sql<ChangeRow>`${selectChanges(sql)}
  where ${sql.and([
    sql`c.changed_at >= ${query.since}::timestamptz`,
    sql`not exists (select from acknowledgement a
      where a.organization_id = ${query.organizationId} and a.diff_id = c.diff_id)`,
    ...(query.before === null ? [] : [sql`c.diff_id < ${query.before}`]),
    ...(query.changeType === null ? [] : [sql`c.change_type = ${query.changeType}`])
  ])}
  order by c.diff_id desc limit ${query.limit + 1}`

interface CountsRow {
  readonly total: number
  readonly acknowledged: number
  readonly critical_unreviewed: number
}

/** As the kernel's `countReviews`. */
const counts = (sql: SqlClient, query: Pick<UnreviewedQuery, "organizationId" | "since">) => sql<CountsRow>`
  select count(*)::int as total, count(a.diff_id)::int as acknowledged,
    count(*) filter (where a.diff_id is null and c.change_type = any(${criticalChangeTypes}::text[]))::int
      as critical_unreviewed
  from policy_change c left join acknowledgement a
    on a.organization_id = ${query.organizationId} and a.diff_id = c.diff_id
  where c.changed_at >= ${query.since}::timestamptz`
