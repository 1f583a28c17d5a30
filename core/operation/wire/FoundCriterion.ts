import * as Schema from "effect/Schema"
import { criteriaSections, policyTypes } from "../../coverage/Policy.ts"

const maybeText = Schema.NullOr(Schema.String)

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
})
export type FoundCriterionView = typeof FoundCriterionView.Type
