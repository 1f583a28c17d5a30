import * as Schema from "effect/Schema"
import { coverageStatuses, diagnosisSupports, levels } from "../../coverage/CoverageDecision.ts"
import { MacView } from "./Policy.ts"
import { MatchedPolicy, PolicySource } from "./PriorAuth.ts"
import { ConditionItem, TraceItem } from "./Trace.ts"

const maybeText = Schema.NullOr(Schema.String)
const texts = Schema.Array(Schema.String)
const maybeTexts = Schema.NullOr(texts)

/** What a claim and each of its lines say alike. */
const finding = {
  coverage_status: Schema.Literals(coverageStatuses),
  diagnosis_support: Schema.Literals(diagnosisSupports),
  conditions: Schema.Array(ConditionItem),
  prior_auth_required: Schema.NullOr(Schema.Boolean),
  denial_risk: Schema.Literals(levels),
  confidence: Schema.Literals(levels),
  documentation_requirements: texts,
  policy_sources: Schema.Array(PolicySource),
  requires_manual_review: Schema.Boolean,
  known_gaps: texts,
  issues: texts
}

/** POST /claims/validate and its older twin (contract §2): the inputs again, then what was found. */
export const ClaimView = Schema.Struct({
  procedure_codes: texts,
  payer: maybeText,
  line_of_business: maybeText,
  provider_specialty: maybeText,
  plan_type: maybeText,
  diagnosis_codes: maybeTexts,
  modifiers: maybeTexts,
  state: maybeText,
  date_of_service: maybeText,
  site_of_service: maybeText,
  age_category: maybeText,
  sex_when_policy_relevant: maybeText,
  units: Schema.NullOr(Schema.Record(Schema.String, Schema.Int)),
  attested_conditions: maybeTexts,
  overall_risk: Schema.Literals(levels),
  ...finding,
  matched_policies: Schema.Array(MatchedPolicy),
  codes: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      code_type: Schema.Literals(["CPT", "HCPCS", "UNKNOWN"]),
      description: maybeText,
      ...finding,
      policy_count: Schema.Int
    })
  ),
  effective_date: maybeText,
  last_verified_at: maybeText,
  mac: Schema.NullOr(MacView),
  trace: Schema.Array(TraceItem)
})
export type ClaimView = typeof ClaimView.Type
