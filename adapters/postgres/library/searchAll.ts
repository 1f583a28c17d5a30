import type { SqlClient } from "effect/sql/SqlClient"
import { canonicalCode } from "../../../core/coverage/codeText.ts"
import { parsePolicyId } from "../../../core/coverage/policyId.ts"
import type { PolicyQuery } from "../../../core/port/Policies.ts"
import { filterSpans, standingOn } from "./filterSpans.ts"
import { bands, pageBeyond, union } from "./searchStage.ts"
import type { Fragment } from "./textQuery.ts"
import { allOf, holds, inText, ofAnyWord } from "./textQuery.ts"

type TextQuery = PolicyQuery & { readonly text: string }

/**
 * What holds all the words, each policy once: the ones that the text means by their id, by a code that they
 * list, then by where all the words are (title, keywords, text, codes' descriptions), in each by the rank of
 * the heading in millionths. The body does not rank, and is opened only to tell text from codes while few
 * match, for its index entry is large. What holds the words is asked for by itself, so that the index answers
 * it: beside other conditions PostgreSQL may open every entry that these leave over.
 */
export const allRanked = (sql: SqlClient, query: TextQuery, matchesMax: number | null) => {
  const text = inText(sql, allOf(query.words))
  const own = sql`case when (select count(*) from matched) <= ${openedMax} then (search @@ ${text})::int4 else 0 end`
  const score = sql`${place(sql, text, own)} * 1000000
    + least(999999, floor(ts_rank(heading, ${ofAnyWord(sql, text)}) * 1000000))::int4`
  const ways = [
    // Of one more than may be ranked none is.
    sql`select policy_id, version, status,
        case when (select count(*) from matched) < ${matchesMax}::int8 or ${matchesMax}::int8 is null
          then ${score} else 0 end as score
      from matched`,
    lettersOf(sql, query, text),
    ...meant(sql, query, { id: 50_000_000, code: 20_000_000 })
  ]
  return sql`with ${holdingAll(sql, query)}, matched as materialized (
      select s.policy_id, s.version, s.status, k.heading, k.search from held k ${standingOn(sql, query.asOf)}
      where s.version = k.version and ${filterSpans(sql, query)} limit ${matchesMax}::int8)
    ${pageBeyond(sql, query, {
      band: bands.allRanked,
      rowsMax: query.limit + 1,
      found: sql`select policy_id, version, status, sum(score)::int4 as score,
          (select count(*)::int4 from matched) as matches
        from (${union(sql, ways)}) each group by policy_id, version, status`
    })}`
}

/** The same without ranks, and without telling text from codes. */
export const allBroad = (sql: SqlClient, query: TextQuery) => {
  const ways = [
    sql`select s.policy_id, s.version, s.status, ${place(sql, inText(sql, allOf(query.words)), sql`0`)} as score
      from held k ${standingOn(sql, query.asOf)}
      where s.version = k.version and ${filterSpans(sql, query)}`,
    ...meant(sql, query, { id: 5, code: 4 })
  ]
  return sql`with ${holdingAll(sql, query)}
    ${pageBeyond(sql, query, {
      band: bands.allBroad,
      rowsMax: query.limit + 1,
      found: sql`select policy_id, version, status, max(score)::int4 as score, 0 as matches
        from (${union(sql, ways)}) each group by policy_id, version, status`
    })}`
}

/** Which rows of `policy_span s` the text does not mean by their id or by a code. */
export const unmeant = (sql: SqlClient, { text }: TextQuery) => {
  const code = canonicalCode(text)
  return /\s/.test(code)
    ? sql`true`
    : sql`s.policy_id <> ${parsePolicyId(text) ?? ""} and not exists (select from policy_code c
        where c.code = ${code} and c.policy_id = s.policy_id and c.version = s.version)`
}

const holdingAll = (sql: SqlClient, { words }: TextQuery) =>
  sql`held as materialized (
    select policy_id, version, heading, search from policy_version where ${holds(sql, allOf(words))})`

const place = (sql: SqlClient, text: Fragment, rest: Fragment) =>
  sql`(case when ts_filter(heading, '{a}') @@ ${text} then 3
    when ts_filter(heading, '{a,b}') @@ ${text} then 2 else ${rest} end)`

/** A text without a word to look up finds by the letters of titles and ids. */
const lettersOf = (sql: SqlClient, query: TextQuery, text: Fragment) =>
  sql`select policy_id, version, status, 0 as score from (
    select s.policy_id, s.version, s.status
    from policy_version v join policy_span s on s.policy_id = v.policy_id and s.version = v.version
    where numnode(${text}) = 0 and ${filterSpans(sql, query)}
      and (starts_with(lower(s.policy_id), lower(${query.text.trim()}))
        or strpos(lower(v.title), lower(${query.text.trim()})) > 0)) lettered`

/** The policies that the text means by their id or by a code that they list, with these scores. */
const meant = (sql: SqlClient, query: TextQuery, score: { readonly id: number; readonly code: number }) => {
  const id = parsePolicyId(query.text)
  const code = canonicalCode(query.text)
  const byId = sql`select s.policy_id, s.version, s.status, ${score.id}::int4 from policy_span s
    where s.policy_id = ${id ?? null} and ${filterSpans(sql, query)}`
  const byCode = sql`select distinct s.policy_id, s.version, s.status, ${score.code}::int4
    from policy_code k ${standingOn(sql, query.asOf)}
    where k.code = ${code} and s.version = k.version and ${filterSpans(sql, query)}`
  return [...(id === undefined ? [] : [byId]), ...(code.length > codeCharactersMax ? [] : [byCode])]
}

/** Of more matches the body is not opened, which takes longer for each than all else. */
const openedMax = 100

/** No code of any system is longer (contract §2, GET /codes/lookup). */
const codeCharactersMax = 20
