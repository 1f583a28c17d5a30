import * as Schema from "effect/Schema"
import { codeSystems } from "../../coverage/Code.ts"
import { coverageStatuses, diagnosisSupports, levels } from "../../coverage/CoverageDecision.ts"
import { dispositions, policyTypes } from "../../coverage/Policy.ts"
import { MacView } from "./Policy.ts"
import { ConditionItem, TraceItem } from "./Trace.ts"

const maybeText = Schema.NullOr(Schema.String)
const texts = Schema.Array(Schema.String)
const level = Schema.Literals(levels)
const status = Schema.Literals(coverageStatuses)

const policyFields = {
  policy_id: Schema.String,
  title: Schema.String,
  policy_type: Schema.Literals(policyTypes),
  jurisdiction: maybeText,
  source_url: maybeText,
  effective_date: maybeText,
  last_verified_at: maybeText
}

/** A policy that bears on a decision, with the codes of the request that it lists. */
export const MatchedPolicy = Schema.Struct({
  ...policyFields,
  codes: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      code_system: Schema.Literals(codeSystems),
      disposition: Schema.Literals(dispositions),
      /** Null for CPT, whose words are the AMA's. */
      description: maybeText
    })
  )
})
export type MatchedPolicy = typeof MatchedPolicy.Type

/** The same as a source; `source_id` names the very version that was read. */
export const PolicySource = Schema.Struct({ ...policyFields, source_id: Schema.String })
export type PolicySource = typeof PolicySource.Type

const Passage = Schema.Struct({
  text: Schema.String,
  tags: Schema.NullOr(texts),
  policy_id: Schema.String
})

/** POST /prior-auth/check (contract §2). */
export const PriorAuthView = Schema.Struct({
  pa_required: Schema.Boolean,
  prior_auth_required: Schema.Boolean,
  coverage_status: status,
  confidence: level,
  denial_risk: level,
  reason: Schema.String,
  matched_policies: Schema.Array(MatchedPolicy),
  policy_sources: Schema.Array(PolicySource),
  documentation_checklist: texts,
  documentation_requirements: texts,
  effective_date: maybeText,
  requires_manual_review: Schema.Boolean,
  known_gaps: texts,
  diagnosis_support: Schema.Literals(diagnosisSupports),
  conditions: Schema.Array(ConditionItem),
  /** The lists that were looked at, and how fresh each was (coverage-domain §2.1, rule 11). */
  programs_checked: Schema.Array(
    Schema.Struct({ program: Schema.String, list_as_of: Schema.String, source_url: maybeText })
  ),
  coverage_decision: Schema.Struct({
    coverage_status: status,
    /** Null where it cannot be told, which the older members above show as false. */
    prior_auth_required: Schema.NullOr(Schema.Boolean),
    documentation_requirements: texts,
    denial_risk: level,
    policy_sources: Schema.Array(PolicySource),
    effective_date: maybeText,
    confidence: level,
    requires_manual_review: Schema.Boolean,
    known_gaps: texts
  }),
  criteria_details: Schema.Struct({
    indications: Schema.Array(Passage),
    limitations: Schema.Array(Passage),
    pagination: Schema.Struct({
      page: Schema.Int,
      per_page: Schema.Int,
      total: Schema.Int,
      total_indications: Schema.Int,
      total_limitations: Schema.Int
    })
  }),
  mac: Schema.NullOr(MacView),
  trace: Schema.Array(TraceItem)
})
export type PriorAuthView = typeof PriorAuthView.Type
