import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { IsoDate } from "../../../core/coverage/date.ts"
import type { Place } from "../../../core/coverage/place.ts"
import type { CodePolicy } from "../../../core/port/Codes.ts"
import { inPlace, onDay, inForceStatus } from "./filterSpans.ts"
import type { ListingRow } from "./listing.ts"
import { listingColumns, listingFrom } from "./listing.ts"
import { plainText } from "./plainText.ts"

/** For each code the policies in force that list it, by policy id, all codes in one statement. */
export const policiesListing = Effect.fnUntraced(function* (
  sql: SqlClient,
  query: {
    readonly codes: ReadonlyArray<string>
    readonly place: Place | null
    readonly asOf: IsoDate
    readonly limit: number
  }
) {
  const rows = yield* sql<ListingRow & Said & { readonly asked: string }>`
    select given.code as asked, k.disposition, k.source, k.code_system as "codeSystem", k.status,
      ${listingColumns(sql, new Set())}
    from unnest(${query.codes.map(plainText)}::text[]) as given (code)
    cross join lateral (
      select distinct on (c.policy_id) c.policy_id, c.version, c.code_system, c.disposition, c.source, s.status
      from policy_code c join policy_span s on s.policy_id = c.policy_id and s.version = c.version
      where c.code = given.code and ${inForceStatus(sql)} and ${onDay(sql, query.asOf)}
        and ${query.place === null ? sql`true` : inPlace(sql, query.place)}
      order by c.policy_id, c.code_system limit ${query.limit}
    ) k
    join policy_version v on v.policy_id = k.policy_id and v.version = k.version
    order by k.policy_id`
  const listed = Map.groupBy(rows, (row) => row.asked)
  return new Map(query.codes.map((code) => [code, (listed.get(plainText(code)) ?? []).map(codePolicyOf)]))
})

type Said = Omit<CodePolicy, "listing">

const codePolicyOf = (row: ListingRow & Said): CodePolicy => ({
  listing: listingFrom(row),
  codeSystem: row.codeSystem,
  disposition: row.disposition,
  source: row.source
})
