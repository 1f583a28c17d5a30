import { jurisdictionsOf, policyCodes, summaryOf } from "../coverage/view.ts"
import type { PolicyStatus, PolicyVersion } from "../coverage/Policy.ts"
import type { PolicyListing, PolicyQuery } from "./Policies.ts"

/**
 * A list shows the first codes of a policy; all of them are in the read of one (contract §2, GET /policies).
 */
export const listedCodesMax = 50

/** As for codes. */
export const listedCriteriaMax = 20

/** What a list says of a version whatever the query asks. */
export type ListingCore = Omit<PolicyListing, "status" | "summary" | "codes" | "criteria" | "match">

/** The row of a list, from the whole version; `standing` says where it stands on the query's day. */
export const listingOf = (
  version: PolicyVersion,
  standing: { readonly status: PolicyStatus; readonly include: PolicyQuery["include"] }
): PolicyListing => ({
  ...listingCoreOf(version),
  status: standing.status,
  summary: standing.include.has("summary") ? summaryOf(version) : null,
  codes: standing.include.has("codes") ? policyCodes(version).slice(0, listedCodesMax) : [],
  criteria: standing.include.has("criteria") ? version.criteria.slice(0, listedCriteriaMax) : [],
  match: null
})

/** The part of a listing that a store may keep beside the version, so that a list never opens a document. */
export const listingCoreOf = (version: PolicyVersion): ListingCore => ({
  policy: version.policy,
  version: version.version,
  title: version.title,
  documentVersion: version.documentVersion,
  jurisdictions: jurisdictionsOf(version),
  effectiveDate: version.effectiveDate,
  retireDate: version.retireDate,
  sourceUrl: version.sourceUrl,
  sourceShape: version.sourceShape,
  sourceShapeReason: version.sourceShapeReason,
  codeCount: policyCodes(version).length,
  criteriaCount: version.criteria.length
})
