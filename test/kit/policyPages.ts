import { ok } from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import type { Policies, PolicyListing, PolicyPage, PolicyQuery } from "../../core/port/Policies.ts"
import { documentOf, passage } from "./library.ts"

/** Every row of a search, page after page; `between` happens after each page but the last. */
export const everyPage = Effect.fnUntraced(function* <E = never, R = never>(
  policies: typeof Policies.Service,
  query: PolicyQuery,
  between: () => Effect.Effect<unknown, E, R> = () => Effect.void
) {
  const listings: Array<PolicyListing> = []
  let after: PolicyQuery["after"] = null
  for (let page = 0; page < pagesMax; page++) {
    // A position travels inside a cursor, as JSON.
    const position: PolicyQuery["after"] = JSON.parse(JSON.stringify(after))
    const { listings: rows, next }: PolicyPage = yield* policies.search({ ...query, after: position })
    ok(rows.length <= query.limit)
    listings.push(...rows)
    if (next === null) return listings
    after = next
    yield* between()
  }
  return yield* Effect.die(new Error("the pages do not end"))
})

/** The policies found, in their order. */
export const ids = (listings: ReadonlyArray<Pick<PolicyListing, "policy">>) =>
  listings.map((listing) => listing.policy.policyId)

/** So many documents in no order of their ids, all of which mention oxygen, some in their title. */
export const oxygenAndBeds = (count: number): ReadonlyArray<PolicyDocument> =>
  Array.from({ length: count }, (_, index) =>
    documentOf({
      policyId: `L${String((index * 7919) % 1000).padStart(4, "0")}`,
      title: index % 3 === 0 ? "Home oxygen" : "Beds",
      keywords: index % 5 === 0 ? ["oxygen"] : [],
      criteria: [passage("b", "Oxygen at home")]
    })
  )

const pagesMax = 200
