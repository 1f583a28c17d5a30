import type { SqlClient } from "effect/sql/SqlClient"
import type { CriteriaBlock, PolicyStatus } from "../../../core/coverage/Policy.ts"
import type { ListingCore } from "../../../core/port/listing.ts"
import { listedCriteriaMax } from "../../../core/port/listing.ts"
import type { PolicyCode, PolicyListing, PolicyQuery } from "../../../core/port/Policies.ts"

/** A listing as its version's row holds it; what the query does not include is not read. */
export interface ListingRow {
  readonly listing: Omit<ListingCore, "documentVersion"> & Partial<Pick<ListingCore, "documentVersion">>
  readonly status: PolicyStatus
  readonly summary: string | null
  readonly first_codes: ReadonlyArray<PolicyCode> | null
  readonly criteria: ReadonlyArray<CriteriaBlock> | null
}

/**
 * The columns of a `ListingRow` from `policy_version v`; a column left out costs nothing, not even its
 * unpacking.
 */
export const listingColumns = (sql: SqlClient, include: PolicyQuery["include"]) => {
  const column = (name: "summary" | "first_codes" | "criteria", wanted: boolean): string =>
    wanted ? `v.${name}` : `null::json as ${name}`
  return sql.literal(
    [
      "v.listing",
      column("summary", include.has("summary")),
      column("first_codes", include.has("codes")),
      column("criteria", include.has("criteria"))
    ].join(", ")
  )
}

/** The listing that the row holds. */
export const listingFrom = (row: ListingRow): PolicyListing => ({
  // Rows that were kept before listings held it do not.
  documentVersion: null,
  ...row.listing,
  status: row.status,
  summary: row.summary,
  codes: row.first_codes ?? [],
  criteria: (row.criteria ?? []).slice(0, listedCriteriaMax),
  match: null
})
