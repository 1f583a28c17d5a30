import * as Schema from "effect/Schema"
import { coverageStatuses, diagnosisSupports } from "../coverage/CoverageDecision.ts"
import type { Operation } from "./Operation.ts"
import { texts, codeOf, text } from "./field.ts"
import { PolicyReference } from "./policies.ts"
import {
  ageCategory,
  sex,
  name,
  attestedConditions,
  ConditionItem,
  traceOption,
  TraceItem
} from "./decisionFields.ts"

/** POST /coverage/evaluate (contract §2); the lists of criteria hold the ids of the policy's passages. */
export const Evaluation = Schema.Struct({
  summary: Schema.String,
  covered: Schema.Boolean,
  coverage_status: Schema.Literals(coverageStatuses),
  diagnosis_support: Schema.Literals(diagnosisSupports),
  conditions: Schema.Array(ConditionItem),
  confidence: Schema.Number,
  reasons: texts,
  known_gaps: texts,
  requires_manual_review: Schema.Boolean,
  matched_criteria: texts,
  unmatched_criteria: texts,
  skipped_criteria: texts,
  blocks_evaluated: Schema.Int,
  blocks_without_ast: Schema.Int,
  policy: PolicyReference,
  trace: Schema.Array(TraceItem)
}).annotate({ identifier: "CoverageEvaluation" })

export type Evaluation = typeof Evaluation.Type

const fields = { procedures: "procedure_code", diagnoses: "diagnosis_codes", modifiers: "modifier" }

const parameters = Schema.Struct({
  age_category: Schema.optionalKey(ageCategory),
  sex_when_policy_relevant: Schema.optionalKey(sex),
  diagnosis_codes: Schema.optionalKey(Schema.Array(codeOf({ ...fields, kind: "diagnosis", takes: "each" }))),
  procedure_code: Schema.optionalKey(codeOf({ ...fields, kind: "procedure", takes: "one" })),
  modifier: Schema.optionalKey(codeOf({ ...fields, kind: "modifier", takes: "one" })),
  place_of_service: Schema.optionalKey(name),
  provider_specialty: Schema.optionalKey(name),
  attested_conditions: Schema.optionalKey(attestedConditions)
}).annotate({ identifier: "EvaluationParameters" })

export const evaluationRows = {
  evaluateCoverage: {
    method: "POST",
    path: "/coverage/evaluate",
    summary: "Evaluate a policy against rule-level inputs",
    requirement: "read",
    feature: null,
    credits: 2,
    body: Schema.Struct({
      policy_id: text({ min: 1, max: 100 }, "id"),
      parameters,
      trace: Schema.optionalKey(traceOption)
    }),
    closed: { at: "/body/parameters", members: Object.keys(parameters.fields) },
    example: {
      path: "/coverage/evaluate",
      body: {
        policy_id: "CVC-002",
        parameters: { procedure_code: "E0601", diagnosis_codes: ["G47.33"], modifier: "RR" }
      }
    },
    success: Evaluation,
    refusals: {
      RESOURCE_POLICY_NOT_FOUND: { path: "/coverage/evaluate", body: { policy_id: "L99999", parameters: {} } }
    },
    coverage: true
  }
} as const satisfies Record<string, Operation>
