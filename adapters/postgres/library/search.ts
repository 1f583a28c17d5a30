import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { correctSpelling } from "../../../core/coverage/spelling.ts"
import type { PolicyListing, PolicyPage, PolicyQuery } from "../../../core/port/Policies.ts"
import { filterSpans } from "./filterSpans.ts"
import type { ListingRow } from "./listing.ts"
import { listingColumns, listingFrom } from "./listing.ts"
import { plainText } from "./plainText.ts"
import { allBroad, allRanked } from "./searchAll.ts"
import type { Trail } from "./searchPartly.ts"
import { partlyStages, readTrail, trailOf, trailText } from "./searchPartly.ts"
import { bands, bandOf } from "./searchStage.ts"
import { rankedOrBroad, runSearch } from "./runSearch.ts"
import type { Fragment } from "./textQuery.ts"

/**
 * One page by (relevance descending, policy id). What holds all the words is asked for first; only where that
 * does not fill the page, what holds some of them or words spelled nearly so. Only the page's own rows are
 * joined to their listings, one more than asked is read to know whether more follow, and no more matches than
 * `rankedMatchesMax` are ranked.
 */
export const search = (sql: SqlClient, query: PolicyQuery): Effect.Effect<PolicyPage, SqlError> => {
  const listed = listedFrom(sql, query)
  const text = query.text === null || query.text.trim() === "" ? null : plainText(query.text)
  return runSearch(
    sql,
    text === null
      ? Effect.map(listed(inOrder(sql, query)), (rows) => pageOf(query, rows, null))
      : byText(sql, { ...query, text }, listed)
  )
}

type Listed = (found: Fragment) => Effect.Effect<ReadonlyArray<FoundRow>, SqlError>

interface FoundRow extends ListingRow {
  readonly relevance: number
  readonly matches: number
}

const byText = Effect.fnUntraced(function* (
  sql: SqlClient,
  query: PolicyQuery & { readonly text: string },
  listed: Listed
) {
  const began = query.after === null ? null : bandOf(query.after.relevance)
  const rows: Array<FoundRow> = []
  if (began === null || began >= bands.allBroad) {
    const stage = began === null ? null : began === bands.allRanked ? "ranked" : "broad"
    const all = yield* rankedOrBroad(stage, {
      ranked: (matchesMax) =>
        Effect.map(listed(allRanked(sql, query, matchesMax)), (found) => ({
          rows: found,
          matches: found[0]?.matches ?? 0
        })),
      broad: listed(allBroad(sql, query))
    })
    rows.push(...all)
  }
  if (rows.length > query.limit) return pageOf(query, rows, null)
  const known = query.after?.trail
  const trail = known === undefined ? yield* trailOf(sql, query.words, rows.length === 0) : readTrail(known)
  const whole = began === null ? rows.map(({ listing }) => ({ documentVersion: null, ...listing })) : null
  for (const stage of partlyStages(sql, query, { trail, whole })) {
    if (rows.length > query.limit) break
    const isNext = began === null ? rows.length === 0 : began === stage.band
    if (stage.isBroad ? isNext : began === null || stage.band <= began) {
      rows.push(...(yield* listed(stage.found(query.limit + 1 - rows.length))))
    }
  }
  return pageOf(query, rows, trail)
})

const listedFrom =
  (sql: SqlClient, query: PolicyQuery): Listed =>
  (found) =>
    sql<FoundRow>`
    select f.relevance, f.matches, f.status, ${listingColumns(sql, query.include)}
    from (${found}) f
    join policy_version v on v.policy_id = f.policy_id and v.version = f.version
    order by f.relevance desc, f.policy_id`

const pageOf = (query: PolicyQuery, rows: ReadonlyArray<FoundRow>, trail: Trail | null): PolicyPage => {
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const listings = page.map((row) => ({ ...listingFrom(row), match: matchOf(query, row) }))
  const isMeant = trail === null || trail.near.length === 0 || listings[0]?.match === "all"
  return {
    listings,
    next:
      last === undefined || rows.length <= query.limit
        ? null
        : {
            relevance: last.relevance,
            policyId: last.listing.policy.policyId,
            trail: trail === null ? undefined : trailText(trail)
          },
    didYouMean: isMeant ? null : correctSpelling(query.text ?? "", new Map(trail.near))
  }
}

const matchOf = ({ text }: PolicyQuery, { relevance }: FoundRow): PolicyListing["match"] => {
  if (text === null || text.trim() === "") return null
  const band = bandOf(relevance)
  return band >= bands.allBroad ? "all" : band >= bands.someBroad ? "some" : "near"
}

const inOrder = (sql: SqlClient, query: PolicyQuery) =>
  sql`select s.policy_id, s.version, s.status, 0 as relevance, 0 as matches from policy_span s
    where ${filterSpans(sql, query)} and s.policy_id > ${query.after?.policyId ?? ""}
    order by s.policy_id limit ${query.limit + 1}`
