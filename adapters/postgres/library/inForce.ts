import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { IsoDate } from "../../../core/coverage/date.ts"
import type { PolicyId } from "../../../core/coverage/Policy.ts"
import { onDay, inForceStatus } from "./filterSpans.ts"
import type { VersionRow } from "./versionRow.ts"
import { versionOf } from "./versionRow.ts"

/**
 * The versions in force on the day, a page by policy id. They are not put on the cache: whoever reads all of
 * them would push off it what callers read often.
 */
export const inForce = (
  sql: SqlClient,
  query: { readonly asOf: IsoDate; readonly after: PolicyId | null; readonly limit: number }
) =>
  Effect.map(
    sql<VersionRow>`select v.narrative, v.criteria, v.code_groups
      from (select s.policy_id, s.version from policy_span s
        where ${onDay(sql, query.asOf)} and ${inForceStatus(sql)} and s.policy_id > ${query.after ?? ""}
        order by s.policy_id limit ${query.limit}) as standing
      join policy_version v on v.policy_id = standing.policy_id and v.version = standing.version
      order by v.policy_id`,
    (rows) => rows.map(versionOf)
  )
