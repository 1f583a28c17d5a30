import * as Schema from "effect/Schema"
import { coverageStatuses, diagnosisSupports } from "../../coverage/CoverageDecision.ts"
import { policyTypes } from "../../coverage/Policy.ts"
import { ConditionItem, TraceItem } from "./Trace.ts"

const texts = Schema.Array(Schema.String)

/** POST /coverage/evaluate (contract §2); the lists of criteria hold the ids of the policy's passages. */
export const Evaluation = Schema.Struct({
  covered: Schema.Boolean,
  coverage_status: Schema.Literals(coverageStatuses),
  diagnosis_support: Schema.Literals(diagnosisSupports),
  conditions: Schema.Array(ConditionItem),
  confidence: Schema.Number,
  reasons: texts,
  matched_criteria: texts,
  unmatched_criteria: texts,
  skipped_criteria: texts,
  blocks_evaluated: Schema.Int,
  blocks_without_ast: Schema.Int,
  policy: Schema.Struct({
    policy_id: Schema.String,
    title: Schema.String,
    policy_type: Schema.Literals(policyTypes)
  }),
  trace: Schema.Array(TraceItem)
})
export type Evaluation = typeof Evaluation.Type
