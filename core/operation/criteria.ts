import * as Schema from "effect/Schema"
import { criteriaSections, policyTypes } from "../coverage/Policy.ts"
import type { Operation } from "./Operation.ts"
import { maybeText, pageFields, placeText, text } from "./field.ts"

/** One passage that GET /coverage/criteria found (contract §2). */
export const FoundCriterionView = Schema.Struct({
  /** The same for as long as the policy holds the passage. */
  criteria_id: Schema.String,
  policy_id: Schema.String,
  policy_title: Schema.String,
  policy_type: Schema.Literals(policyTypes),
  jurisdiction: maybeText,
  effective_date: maybeText,
  section: Schema.Literals(criteriaSections),
  text: Schema.String,
  tags: Schema.NullOr(Schema.Array(Schema.String)),
  requires_manual_review: Schema.Boolean,
  confidence_score: Schema.NullOr(Schema.Number)
}).annotate({ identifier: "FoundCriterion" })

export type FoundCriterionView = typeof FoundCriterionView.Type

export const criteriaRows = {
  searchCriteria: {
    method: "GET",
    path: "/coverage/criteria",
    summary: "Search the criteria of policies",
    requirement: "read",
    feature: null,
    credits: 1,
    query: Schema.Struct({
      ...pageFields,
      q: text({ min: 1, max: 500 }),
      section: Schema.optionalKey(Schema.Literals(criteriaSections)),
      policy_type: Schema.optionalKey(Schema.Literals(policyTypes)),
      jurisdiction: Schema.optionalKey(placeText)
    }),
    example: { path: "/coverage/criteria?q=epidural&limit=2" },
    success: Schema.Array(FoundCriterionView),
    refusals: {
      RESOURCE_JURISDICTION_NOT_FOUND: { path: "/coverage/criteria?q=knee&jurisdiction=JZ" },
      SERVER_SEARCH_UNAVAILABLE: null
    },
    paged: true,
    coverage: true
  }
} as const satisfies Record<string, Operation>
