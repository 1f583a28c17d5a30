import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ChangesQuery } from "../../core/port/Changes.ts"
import { Changes, ChangesUnavailable } from "../../core/port/Changes.ts"
import { Pool, unavailable } from "./Database.ts"
import { changesPage, selectChanges } from "./library/changeRows.ts"
import type { ChangeRow } from "./library/changeRows.ts"
import { plainText } from "./library/plainText.ts"

/** What changed in the policies, from PostgreSQL: one page by diff id, newest first. */
export const layer = Layer.effect(
  Changes,
  Effect.gen(function* () {
    const sql = yield* Pool
    const away = unavailable((fault) => new ChangesUnavailable({ fault }))
    return Changes.of({
      list: (query) => away(Effect.map(page(sql, query), (rows) => changesPage(rows, query.limit)))
    })
  })
)

const page = (sql: SqlClient, query: ChangesQuery) => sql<ChangeRow>`
  ${selectChanges(sql)}
  where ${admitted(sql, query)}
  order by c.diff_id desc limit ${query.limit + 1}`

const admitted = (sql: SqlClient, query: ChangesQuery) =>
  sql.and([
    ...(query.before === null ? [sql`true`] : [sql`c.diff_id < ${query.before}`]),
    ...(query.since === null ? [] : [sql`c.changed_at >= ${query.since}::timestamptz`]),
    ...(query.policyId === null ? [] : [sql`c.policy_id = ${plainText(query.policyId)}`]),
    ...(query.changeType === null ? [] : [sql`c.change_type = ${query.changeType}`]),
    ...(query.policyType === null ? [] : [sql`v.policy_type = ${query.policyType}`])
  ])
