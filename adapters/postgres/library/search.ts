import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { canonicalCode } from "../../../core/coverage/codeText.ts"
import { parsePolicyId } from "../../../core/coverage/policyId.ts"
import type { PolicyPage, PolicyQuery } from "../../../core/port/Policies.ts"
import { admitted, standingOn } from "./admitted.ts"
import type { ListingRow } from "./listing.ts"
import { listingColumns, listingFrom } from "./listing.ts"
import { plainText } from "./plainText.ts"
import { searchWords } from "./searchWords.ts"
import { rankedOrBroad, searching } from "./searching.ts"

/**
 * One page by (relevance descending, policy id). Only the page's own rows are joined to their listings, one
 * more than asked is read to know whether more follow, and no more matches than `rankedMatchesMax` are
 * ranked.
 */
export const search = (sql: SqlClient, query: PolicyQuery) => {
  const text = query.text === null || query.text.trim() === "" ? null : plainText(query.text)
  const listed = listedFrom(sql, query)
  const rows =
    text === null
      ? listed(inOrder(sql, query))
      : rankedOrBroad(query.after, {
          ranked: (matchesMax) =>
            Effect.map(listed(ranked(sql, query, { text, matchesMax })), (found) => ({
              rows: found,
              matches: found[0]?.matches ?? 0
            })),
          broad: listed(broad(sql, query, text))
        })
  return Effect.map(searching(sql, rows), (found) => pageOf(found, query.limit))
}

interface FoundRow extends ListingRow {
  readonly relevance: number
  readonly matches: number
}

const listedFrom = (sql: SqlClient, query: PolicyQuery) => (found: Fragment) =>
  sql<FoundRow>`
  select f.relevance, f.matches, f.status, ${listingColumns(sql, query.include)}
  from (${found}) f
  join policy_version v on v.policy_id = f.policy_id and v.version = f.version
  order by f.relevance desc, f.policy_id`

const pageOf = (rows: ReadonlyArray<FoundRow>, limit: number): PolicyPage => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    listings: page.map(listingFrom),
    next:
      last === undefined || rows.length <= limit
        ? null
        : { relevance: last.relevance, policyId: last.listing.policy.policyId }
  }
}

const inOrder = (sql: SqlClient, query: PolicyQuery) =>
  sql`select s.policy_id, s.version, s.status, 0 as relevance, 0 as matches from policy_span s
    where ${admitted(sql, query)} and s.policy_id > ${query.after?.policyId ?? ""}
    order by s.policy_id limit ${query.limit + 1}`

/**
 * What the text finds, each policy once: by its words, by its id, by a code it lists. Relevance is a whole
 * number so that it comes back from a cursor as it was: the rank of the heading in millionths, and above
 * every rank a code that was meant and an id that was meant. The body only finds and does not rank, for its
 * index entry is too large to be opened for every match. What holds the words is asked for by itself, so that
 * the index answers it: beside other conditions PostgreSQL may open every entry that these leave over.
 */
const ranked = (
  sql: SqlClient,
  query: PolicyQuery,
  { matchesMax, text }: { readonly text: string; readonly matchesMax: number | null }
) => {
  const words = wordsQuery(sql, text)
  const ways = [
    sql`select policy_id, version, status,
        least(999999, floor(ts_rank(heading, ${words}) * 1000000))::int4 as score from matched`,
    sql`select s.policy_id, s.version, s.status, 0
      from policy_version v join policy_span s on s.policy_id = v.policy_id and s.version = v.version
      where numnode(${words}) = 0 and ${admitted(sql, query)}
        and (starts_with(lower(s.policy_id), lower(${text.trim()}))
          or strpos(lower(v.title), lower(${text.trim()})) > 0)`,
    ...meant(sql, query, { text, id: 2_000_000, code: 1_000_000 })
  ]
  return sql`with held as materialized (
      select policy_id, version, heading from policy_version where search @@ ${words}
    ), matched as materialized (
      select s.policy_id, s.version, s.status, k.heading from held k ${standingOn(sql, query.asOf)}
      where s.version = k.version and ${admitted(sql, query)} limit ${matchesMax}::int8)
    ${pageBeyond(
      sql,
      query,
      sql`select policy_id, version, status, sum(score)::int4 as relevance,
      (select count(*)::int4 from matched) as matches
      from (${union(sql, ways)}) each group by policy_id, version, status`
    )}`
}

/**
 * The same without ranks: what was meant by its id, by a code, then where the title or the keywords hold
 * the words, then the rest, in each by policy id.
 */
const broad = (sql: SqlClient, query: PolicyQuery, text: string) => {
  const words = wordsQuery(sql, text)
  const ways = [
    sql`select s.policy_id, s.version, s.status, k.score from held k ${standingOn(sql, query.asOf)}
      where s.version = k.version and ${admitted(sql, query)}`,
    ...meant(sql, query, { text, id: -1, code: -2 })
  ]
  return sql`with held as materialized (
      select policy_id, version, case when ts_filter(heading, '{a}') @@ ${words} then -3 else -4 end as score
      from policy_version where search @@ ${words})
    ${pageBeyond(
      sql,
      query,
      sql`select policy_id, version, status, max(score)::int4 as relevance, 0 as matches
        from (${union(sql, ways)}) each group by policy_id, version, status`
    )}`
}

const wordsQuery = (sql: SqlClient, text: string) =>
  sql`websearch_to_tsquery('english', ${searchWords(text)})`

/** The policies that the text names by their id or by a code that they list, with these scores. */
const meant = (
  sql: SqlClient,
  query: PolicyQuery,
  { text, ...score }: { readonly text: string; readonly id: number; readonly code: number }
) => {
  const id = parsePolicyId(text)
  const code = canonicalCode(text)
  const byId = sql`select s.policy_id, s.version, s.status, ${score.id}::int4 from policy_span s
    where s.policy_id = ${id ?? null} and ${admitted(sql, query)}`
  const byCode = sql`select distinct s.policy_id, s.version, s.status, ${score.code}::int4
    from policy_code k ${standingOn(sql, query.asOf)}
    where k.code = ${code} and s.version = k.version and ${admitted(sql, query)}`
  return [...(id === undefined ? [] : [byId]), ...(code.length > codeCharactersMax ? [] : [byCode])]
}

const pageBeyond = (sql: SqlClient, { after, limit }: PolicyQuery, found: Fragment) => {
  const beyond =
    after === null
      ? sql`true`
      : sql`(w.relevance < ${after.relevance}
          or (w.relevance = ${after.relevance} and w.policy_id > ${after.policyId}))`
  return sql`select * from (${found}) w
    where ${beyond} order by w.relevance desc, w.policy_id limit ${limit + 1}`
}

/** No code of any system is longer (contract §2, GET /codes/lookup). */
const codeCharactersMax = 20

type Fragment = ReturnType<typeof wordsQuery>

const union = (sql: SqlClient, ways: ReadonlyArray<Fragment>) =>
  ways.slice(1).reduce((all, way) => sql`${all} union all ${way}`, ways[0] ?? sql`select`)
