import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { canonicalCode } from "../../../core/coverage/codeText.ts"
import { parsePolicyId } from "../../../core/coverage/policyId.ts"
import type { PolicyPage, PolicyQuery } from "../../../core/port/Policies.ts"
import { admitted } from "./admitted.ts"
import type { ListingRow } from "./listing.ts"
import { listingColumns, listingFrom } from "./listing.ts"
import { plainText } from "./plainText.ts"

/**
 * A search takes milliseconds; one that takes three seconds would leave its call no time to say so (10 s in
 * all).
 */
export const searchStatementMs = 3_000

/**
 * One page by (relevance descending, policy id). Only the page's own rows are joined to their listings, one
 * more than asked is read to know whether more follow, and nothing is counted. Reading whole tables is ruled
 * out, because PostgreSQL holds the unpacking of a long index entry to be free: for a common word it would
 * unpack every one of them (60 ms for 3,000 documents) instead of asking the index (3 ms).
 */
export const search = Effect.fnUntraced(function* (sql: SqlClient, query: PolicyQuery) {
  const text = query.text === null || query.text.trim() === "" ? null : plainText(query.text)
  const rows = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`select set_config('statement_timeout', ${String(searchStatementMs)}, true),
      set_config('enable_seqscan', 'off', true)`
      return yield* sql<ListingRow & { readonly relevance: number }>`
      select f.relevance, f.status, ${listingColumns(sql, query.include)}
      from (${text === null ? inOrder(sql, query) : found(sql, query, text)}) f
      join policy_version v on v.policy_id = f.policy_id and v.version = f.version
      order by f.relevance desc, f.policy_id`
    })
  )
  return pageOf(rows, query.limit)
})

const pageOf = (
  rows: ReadonlyArray<ListingRow & { readonly relevance: number }>,
  limit: number
): PolicyPage => {
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
  sql`select s.policy_id, s.version, s.status, 0 as relevance from policy_span s
    where ${admitted(sql, query)} and s.policy_id > ${query.after?.policyId ?? ""}
    order by s.policy_id limit ${query.limit + 1}`

/**
 * What the text finds, each policy once: by its words, by its id, by a code it lists. Relevance is a whole
 * number so that it comes back from a cursor as it was: the rank of the heading in millionths, and above
 * every rank a code that was meant and an id that was meant. The body only finds and does not rank, for its
 * index entry is too large to be opened for every match.
 */
const found = (sql: SqlClient, query: PolicyQuery, text: string) => {
  const words = sql`websearch_to_tsquery('english', ${text})`
  const id = parsePolicyId(text)
  const code = canonicalCode(text)
  const after = query.after
  const ways = [
    sql`select s.policy_id, s.version, s.status,
        least(999999, floor(ts_rank(v.heading, ${words}) * 1000000))::int4 as score
      from policy_version v join policy_span s on s.policy_id = v.policy_id and s.version = v.version
      where v.search @@ ${words} and ${admitted(sql, query)}`,
    sql`select s.policy_id, s.version, s.status, 0
      from policy_version v join policy_span s on s.policy_id = v.policy_id and s.version = v.version
      where numnode(${words}) = 0 and ${admitted(sql, query)}
        and (starts_with(lower(s.policy_id), lower(${text.trim()}))
          or strpos(lower(v.title), lower(${text.trim()})) > 0)`,
    ...(id === undefined
      ? []
      : [
          sql`select s.policy_id, s.version, s.status, 2000000 from policy_span s
      where s.policy_id = ${id} and ${admitted(sql, query)}`
        ]),
    ...(code.length > codeCharactersMax
      ? []
      : [
          sql`select distinct s.policy_id, s.version, s.status, 1000000
      from policy_code k join policy_span s on s.policy_id = k.policy_id and s.version = k.version
      where k.code = ${code} and ${admitted(sql, query)}`
        ])
  ]
  const beyond =
    after === null
      ? sql`true`
      : sql`(w.relevance < ${after.relevance}
          or (w.relevance = ${after.relevance} and w.policy_id > ${after.policyId}))`
  return sql`select * from (
      select policy_id, version, status, sum(score)::int4 as relevance from (${union(sql, ways)}) each
      group by policy_id, version, status) w
    where ${beyond} order by w.relevance desc, w.policy_id limit ${query.limit + 1}`
}

/** No code of any system is longer (contract §2, GET /codes/lookup). */
const codeCharactersMax = 20

const union = (sql: SqlClient, ways: ReadonlyArray<ReturnType<typeof inOrder>>) =>
  ways.slice(1).reduce((all, way) => sql`${all} union all ${way}`, ways[0] ?? sql`select`)
