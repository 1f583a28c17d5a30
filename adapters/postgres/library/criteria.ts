import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CriteriaPage, CriteriaQuery, FoundCriterion } from "../../../core/port/Policies.ts"
import type { ListingCore } from "../../../core/port/listing.ts"
import { inPlace, onDay, inForceStatus, standingOn } from "./filterSpans.ts"
import { rankedOrBroad, runSearch } from "./runSearch.ts"
import { allOf, inText } from "./textQuery.ts"

/**
 * One page of the passages in force that hold the words, by (relevance descending, policy id, place in the
 * document): ranked by how they hold them while few do. Only the page's own passages are opened.
 */
export const criteria = (sql: SqlClient, query: CriteriaQuery) => {
  const shown = shownFrom(sql)
  const began = query.after === null ? null : query.after.relevance < 0 ? "broad" : "ranked"
  const rows = rankedOrBroad(began, {
    ranked: (matchesMax) =>
      Effect.map(shown(ranked(sql, query, matchesMax)), (found) => ({
        rows: found,
        matches: found[0]?.matches ?? 0
      })),
    broad: shown(broad(sql, query))
  })
  return Effect.map(runSearch(sql, rows), (found) => pageOf(found, query.limit))
}

interface PassageRow {
  readonly relevance: number
  readonly matches: number
  readonly ordinal: number
  readonly listing: ListingCore
  readonly block: FoundCriterion["block"]
}

const shownFrom = (sql: SqlClient) => (found: Fragment) =>
  sql<PassageRow>`
  select f.relevance, f.matches, f.ordinal, v.listing, each.block
  from (${found}) f
  join policy_version v on v.policy_id = f.policy_id and v.version = f.version
  join policy_passage each on each.policy_id = f.policy_id and each.version = f.version and each.ordinal = f.ordinal
  order by f.relevance desc, f.policy_id, f.ordinal`

const pageOf = (rows: ReadonlyArray<PassageRow>, limit: number): CriteriaPage => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    found: page.map(foundOf),
    next:
      last === undefined || rows.length <= limit
        ? null
        : { relevance: last.relevance, policyId: last.listing.policy.policyId, ordinal: last.ordinal }
  }
}

const foundOf = ({ block, listing }: PassageRow): FoundCriterion => ({
  policy: listing.policy,
  title: listing.title,
  jurisdictions: listing.jurisdictions,
  effectiveDate: listing.effectiveDate,
  block
})

/** The rank of the words in the passage, in millionths. */
const ranked = (sql: SqlClient, query: CriteriaQuery, matchesMax: number | null) => {
  const words = wordsOf(sql, query)
  const { after } = query
  const beyond =
    after === null
      ? sql`true`
      : sql`(f.relevance < ${after.relevance} or (f.relevance = ${after.relevance}
          and (f.policy_id, f.ordinal) > (${after.policyId}, ${after.ordinal}::int4)))`
  return sql`
    with held as materialized (
      select policy_id, version, ordinal, words from policy_passage k
      where words @@ ${words} and ${sectionIs(sql, query)}
    ), matched as materialized (
      select k.policy_id, k.version, k.ordinal, k.words from held k ${standingOn(sql, query.asOf)}
      where s.version = k.version and ${admitted(sql, query)} limit ${matchesMax}::int8)
    select * from (
      select policy_id, version, ordinal, (select count(*)::int4 from matched) as matches,
        least(999999, floor(ts_rank(words, ${words}) * 1000000))::int4 as relevance from matched) f
    where ${beyond} order by f.relevance desc, f.policy_id, f.ordinal limit ${query.limit + 1}`
}

/**
 * All alike, by policy id: policies are walked in that order and their passages looked at until the page is
 * full, which is soon, since many match.
 */
const broad = (sql: SqlClient, query: CriteriaQuery) => {
  const after = query.after ?? { policyId: "", ordinal: -1 }
  const rowsMax = query.limit + 1
  return sql`
    select s.policy_id, s.version, m.ordinal, -1 as relevance, 0 as matches
    from policy_span s
    cross join lateral (
      select k.ordinal from policy_passage k
      where k.policy_id = s.policy_id and k.version = s.version and k.words @@ ${wordsOf(sql, query)}
        and ${sectionIs(sql, query)} and (s.policy_id > ${after.policyId} or k.ordinal > ${after.ordinal}::int4)
      order by k.ordinal limit ${rowsMax}) m
    where s.policy_id >= ${after.policyId} and ${admitted(sql, query)}
    order by s.policy_id, m.ordinal limit ${rowsMax}`
}

const wordsOf = (sql: SqlClient, { words }: CriteriaQuery) => inText(sql, allOf(words))

const sectionIs = (sql: SqlClient, { section }: CriteriaQuery) =>
  section === null ? sql`true` : sql`k.section = ${section}`

/** Which rows of `policy_span s` are in force and admitted by the query's filters. */
const admitted = (sql: SqlClient, { asOf, place, policyType }: CriteriaQuery) =>
  sql.and([
    onDay(sql, asOf),
    inForceStatus(sql),
    ...(policyType === null ? [] : [sql`s.policy_type = ${policyType}`]),
    ...(place === null ? [] : [inPlace(sql, place)])
  ])

type Fragment = ReturnType<typeof wordsOf>
