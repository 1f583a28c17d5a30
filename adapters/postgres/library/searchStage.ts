import type { SqlClient } from "effect/sql/SqlClient"
import type { PolicyQuery } from "../../../core/port/Policies.ts"
import type { Fragment } from "./textQuery.ts"

/**
 * The parts of a list, from the last to the first. A relevance is its part's number and a score within it,
 * whole numbers, so that it comes back from a cursor as it was.
 */
export const bands = {
  nearBroad: 0,
  near: 1,
  someBroad: 2,
  some: 3,
  allBroad: 4,
  allRanked: 5
} as const

/** The part of the list that a relevance belongs to. */
export const bandOf = (relevance: number): number => Math.floor(relevance / bandWidth)

/** No score is as large. */
export const bandWidth = 100_000_000

/**
 * The rows after the query's position, of rows with a `score`; none of a band that its list has left behind.
 */
export const pageBeyond = (
  sql: SqlClient,
  { after }: PolicyQuery,
  page: { readonly found: Fragment; readonly band: number; readonly rowsMax: number }
) => {
  const beyond =
    after === null
      ? sql`true`
      : sql`(w.relevance < ${after.relevance}
          or (w.relevance = ${after.relevance} and w.policy_id > ${after.policyId}))`
  return sql`select * from (
      select policy_id, version, status, matches, score + ${page.band * bandWidth}::int4 as relevance
      from (${page.found}) scored) w
    where ${beyond} order by w.relevance desc, w.policy_id limit ${page.rowsMax}`
}

/** The rows of all of them. */
export const union = (sql: SqlClient, ways: ReadonlyArray<Fragment>) =>
  ways.slice(1).reduce((all, way) => sql`${all} union all ${way}`, ways[0] ?? sql`select`)
