import * as Schema from "effect/Schema"
import { coverageStatuses, diagnosisSupports, levels } from "../coverage/CoverageDecision.ts"
import type { Operation } from "./Operation.ts"
import {
  attestedConditions,
  traceOption,
  name,
  ConditionItem,
  TraceItem,
  MatchedPolicy,
  PolicySource
} from "./decisionFields.ts"
import { maybeText, texts, codeOf, integer, isoDate, list, pattern } from "./field.ts"
import { MacView } from "./policies.ts"

const level = Schema.Literals(levels)

const status = Schema.Literals(coverageStatuses)

const Passage = Schema.Struct({
  text: Schema.String,
  tags: Schema.NullOr(texts),
  policy_id: Schema.String
}).annotate({ identifier: "CriteriaPassage" })

/** POST /prior-auth/check (contract §2). */
export const PriorAuthView = Schema.Struct({
  summary: Schema.String,
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
  }).annotate({ identifier: "CoverageDecision" }),
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
}).annotate({ identifier: "PriorAuthCheck" })

export type PriorAuthView = typeof PriorAuthView.Type

/** The operation takes no modifiers. */
const fields = { procedures: "procedure_codes", diagnoses: "diagnosis_codes" }
const procedureCode = codeOf({ ...fields, kind: "procedure", takes: "each" })
const diagnosisCode = codeOf({ ...fields, kind: "diagnosis", takes: "each" })

export const state = pattern(/^[A-Za-z]{2}$/, "a state of two letters")

export const priorAuthRows = {
  checkPriorAuth: {
    method: "POST",
    path: "/prior-auth/check",
    summary: "Check whether prior authorization is required",
    requirement: "read",
    feature: null,
    credits: 3,
    body: Schema.Struct({
      procedure_codes: list(procedureCode, { min: 1, max: 10 }),
      state: Schema.optionalKey(state),
      payer: Schema.optionalKey(name),
      diagnosis_codes: Schema.optionalKey(list(diagnosisCode, { min: 0, max: 20 })),
      date_of_service: Schema.optionalKey(isoDate),
      site_of_service: Schema.optionalKey(name),
      criteria_page: Schema.optionalKey(integer({ min: 1, max: 1_000_000 })),
      criteria_per_page: Schema.optionalKey(integer({ min: 1, max: 100 })),
      attested_conditions: Schema.optionalKey(attestedConditions),
      trace: Schema.optionalKey(traceOption)
    }),
    example: {
      path: "/prior-auth/check",
      body: { procedure_codes: ["64493"], state: "TX", site_of_service: "outpatient_hospital" }
    },
    success: PriorAuthView,
    refusals: {
      RESOURCE_JURISDICTION_NOT_FOUND: {
        path: "/prior-auth/check",
        body: { procedure_codes: ["64493"], state: "ZZ" }
      }
    },
    coverage: true
  }
} as const satisfies Record<string, Operation>
