import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { readCode } from "../coverage/codeInput.ts"
import type { CodeField } from "../coverage/codeShape.ts"
import { coverageStatuses, diagnosisSupports, levels } from "../coverage/CoverageDecision.ts"
import { planTypes } from "../coverage/payerScope.ts"
import type { Operation } from "./Operation.ts"
import {
  ConditionItem,
  TraceItem,
  ageCategory,
  sex,
  name,
  attestedConditions,
  traceOption,
  MatchedPolicy,
  PolicySource
} from "./decisionFields.ts"
import { maybeText, texts, anyText, codeOf, integer, isoDate, list, pattern } from "./field.ts"
import { MacView } from "./policies.ts"

const maybeTexts = Schema.NullOr(texts)

/** What a claim and each of its lines say alike. */
const finding = {
  coverage_status: Schema.Literals(coverageStatuses),
  diagnosis_support: Schema.Literals(diagnosisSupports),
  prior_auth_required: Schema.NullOr(Schema.Boolean),
  denial_risk: Schema.Literals(levels),
  confidence: Schema.Literals(levels),
  documentation_requirements: texts,
  requires_manual_review: Schema.Boolean,
  known_gaps: texts,
  issues: texts
}

/** POST /claims/validate and its alias (contract §2): the inputs again, then what was found. */
export const ClaimView = Schema.Struct({
  summary: Schema.String,
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
  conditions: Schema.Array(ConditionItem),
  policy_sources: Schema.Array(PolicySource),
  /** What modifiers state that is no issue: GA, KX. */
  notes: texts,
  matched_policies: Schema.Array(MatchedPolicy),
  codes: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      code_type: Schema.Literals(["CPT", "HCPCS", "UNKNOWN"]),
      description: maybeText,
      ...finding,
      /** By id: the texts are those of the claim's `conditions`. */
      conditions: Schema.Array(Schema.Struct({ condition_id: Schema.String })),
      /** By id, too: the rest is in the claim's `policy_sources`. */
      policy_sources: Schema.Array(PolicySource.mapFields(Struct.pick(["policy_id", "source_id"]))),
      policy_count: Schema.Int
    }).annotate({ identifier: "ClaimLine" })
  ),
  effective_date: maybeText,
  last_verified_at: maybeText,
  mac: Schema.NullOr(MacView),
  trace: Schema.Array(TraceItem)
}).annotate({ identifier: "ClaimValidation" })

export type ClaimView = typeof ClaimView.Type

/** A claim may name the Northern Marianas as CMS does. */
const claimState = pattern(/^([A-Za-z]{2}|CNMI)$/i, "a state of two letters, or CNMI")

const fields = { procedures: "procedure_codes", diagnoses: "diagnosis_codes", modifiers: "modifiers" }
const procedureCode: CodeField = { ...fields, kind: "procedure", takes: "each" }

/** Units by procedure code. The keys are codes like those of `procedure_codes`. */
const units = Schema.Record(anyText("code"), integer({ min: 1, max: 99_999 })).check(
  Schema.makeFilter((counts: Readonly<Record<string, number>>) => {
    const faults = Object.keys(counts).map((code) => Result.getFailure(readCode(code, procedureCode)))
    const index = faults.findIndex(Option.isSome)
    const fault = faults[index]
    return fault === undefined || Option.isNone(fault)
      ? true
      : `has key ${index + 1}, which ${fault.value.message}`
  })
)

const claim = Schema.Struct({
  procedure_codes: list(codeOf(procedureCode), { min: 1, max: 10 }),
  payer: Schema.optionalKey(name),
  line_of_business: Schema.optionalKey(name),
  provider_specialty: Schema.optionalKey(name),
  plan_type: Schema.optionalKey(Schema.Literals(planTypes)),
  diagnosis_codes: Schema.optionalKey(
    list(codeOf({ ...fields, kind: "diagnosis", takes: "each" }), { min: 0, max: 20 })
  ),
  modifiers: Schema.optionalKey(
    list(codeOf({ ...fields, kind: "modifier", takes: "each" }), { min: 0, max: 5 })
  ),
  state: Schema.optionalKey(claimState),
  date_of_service: Schema.optionalKey(isoDate),
  site_of_service: Schema.optionalKey(
    Schema.Literals(["office", "outpatient_hospital", "asc", "inpatient", "home", "telehealth"])
  ),
  age_category: Schema.optionalKey(ageCategory),
  sex_when_policy_relevant: Schema.optionalKey(sex),
  attested_conditions: Schema.optionalKey(attestedConditions),
  trace: Schema.optionalKey(traceOption),
  units: Schema.optionalKey(units)
}).annotate({ identifier: "ClaimRequest" })

const validateClaim = {
  method: "POST",
  path: "/claims/validate",
  summary: "Validate a claim before submission",
  requirement: "read",
  feature: null,
  credits: 6,
  body: claim,
  closed: { at: "/body", members: Object.keys(claim.fields) },
  example: {
    path: "/claims/validate",
    body: { procedure_codes: ["62323"], diagnosis_codes: ["M54.16"], state: "TX" }
  },
  success: ClaimView,
  refusals: {
    RESOURCE_JURISDICTION_NOT_FOUND: {
      path: "/claims/validate",
      body: { procedure_codes: ["62323"], state: "ZZ" }
    }
  },
  coverage: true
} as const satisfies Operation

export const claimRows = {
  validateClaim,
  validateClaimTwin: {
    ...validateClaim,
    path: "/claim-validation",
    example: { path: "/claim-validation", body: { procedure_codes: ["E0650"] } },
    refusals: {
      RESOURCE_JURISDICTION_NOT_FOUND: {
        path: "/claim-validation",
        body: { procedure_codes: ["E0650"], state: "ZZ" }
      }
    },
    summary: "Validate a claim (alias of POST /claims/validate)"
  }
} as const satisfies Record<string, Operation>
