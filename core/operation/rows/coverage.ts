import * as Schema from "effect/Schema"
import { ageCategories, sexes } from "../../coverage/Criterion.ts"
import { planTypes } from "../../coverage/payerScope.ts"
import { criteriaSections, policyTypes } from "../../coverage/Policy.ts"
import { anyText, codeText, integer, isoDate, list, pageFields, pattern, text } from "../field.ts"
import type { Operation } from "../Operation.ts"
import { FoundCriterionView } from "../wire/FoundCriterion.ts"
import { ClaimView } from "../wire/Claim.ts"
import { Evaluation } from "../wire/Evaluation.ts"
import { PriorAuthView } from "../wire/PriorAuth.ts"

const place = text({ min: 1, max: 50 })
const ageCategory = Schema.Literals(ageCategories)
const sex = Schema.Literals(sexes)
const state = pattern(/^[A-Za-z]{2}$/, "a state of two letters")
/** A claim may name the Northern Marianas as CMS does. */
const claimState = pattern(/^([A-Za-z]{2}|CNMI)$/i, "a state of two letters, or CNMI")
const procedureCode = pattern(
  /^([0-9]{4}[0-9A-Za-z]|[A-Za-z][0-9]{4})$/,
  "four digits and a digit or a letter, or a letter and four digits",
  "code"
)
const modifier = text({ min: 1, max: 5 }, "code")
const name = text({ min: 1, max: 100 })
const attested = list(text({ min: 1, max: 100 }, "id"), { min: 0, max: 50 })

const parameters = Schema.Struct({
  age_category: Schema.optionalKey(ageCategory),
  sex_when_policy_relevant: Schema.optionalKey(sex),
  diagnosis_codes: Schema.optionalKey(Schema.Array(codeText)),
  procedure_code: Schema.optionalKey(codeText),
  modifier: Schema.optionalKey(modifier),
  place_of_service: Schema.optionalKey(name),
  provider_specialty: Schema.optionalKey(name),
  attested_conditions: Schema.optionalKey(attested)
})

const claim = Schema.Struct({
  procedure_codes: list(procedureCode, { min: 1, max: 10 }),
  payer: Schema.optionalKey(name),
  line_of_business: Schema.optionalKey(name),
  provider_specialty: Schema.optionalKey(name),
  plan_type: Schema.optionalKey(Schema.Literals(planTypes)),
  diagnosis_codes: Schema.optionalKey(list(codeText, { min: 0, max: 20 })),
  modifiers: Schema.optionalKey(list(modifier, { min: 0, max: 5 })),
  state: Schema.optionalKey(claimState),
  date_of_service: Schema.optionalKey(isoDate),
  site_of_service: Schema.optionalKey(
    Schema.Literals(["office", "outpatient_hospital", "asc", "inpatient", "home", "telehealth"])
  ),
  age_category: Schema.optionalKey(ageCategory),
  sex_when_policy_relevant: Schema.optionalKey(sex),
  attested_conditions: Schema.optionalKey(attested),
  units: Schema.optionalKey(Schema.Record(anyText("code"), integer({ min: 1, max: 99_999 })))
})

const validateClaim = {
  method: "POST",
  path: "/claims/validate",
  summary: "Check a claim at rule level before it is sent",
  requirement: "read",
  feature: null,
  credits: 6,
  body: claim,
  closed: { at: "/body", members: Object.keys(claim.fields) },
  success: ClaimView,
  refusals: ["RESOURCE_JURISDICTION_NOT_FOUND"],
  coverage: true
} as const satisfies Operation

export const coverageRows = {
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
      jurisdiction: Schema.optionalKey(place)
    }),
    success: Schema.Array(FoundCriterionView),
    refusals: ["RESOURCE_JURISDICTION_NOT_FOUND", "SERVER_SEARCH_UNAVAILABLE"],
    paged: true,
    coverage: true
  },
  evaluateCoverage: {
    method: "POST",
    path: "/coverage/evaluate",
    summary: "Evaluate one policy for rule-level inputs",
    requirement: "read",
    feature: null,
    credits: 2,
    body: Schema.Struct({ policy_id: text({ min: 1, max: 100 }, "id"), parameters }),
    closed: { at: "/body/parameters", members: Object.keys(parameters.fields) },
    success: Evaluation,
    refusals: ["RESOURCE_POLICY_NOT_FOUND"],
    coverage: true
  },
  checkPriorAuth: {
    method: "POST",
    path: "/prior-auth/check",
    summary: "Check whether prior authorization is required",
    requirement: "read",
    feature: null,
    credits: 3,
    body: Schema.Struct({
      procedure_codes: list(codeText, { min: 1, max: 10 }),
      state: Schema.optionalKey(state),
      payer: Schema.optionalKey(name),
      diagnosis_codes: Schema.optionalKey(list(codeText, { min: 0, max: 20 })),
      date_of_service: Schema.optionalKey(isoDate),
      site_of_service: Schema.optionalKey(name),
      criteria_page: Schema.optionalKey(integer({ min: 1, max: 1_000_000 })),
      criteria_per_page: Schema.optionalKey(integer({ min: 1, max: 100 }))
    }),
    success: PriorAuthView,
    refusals: ["RESOURCE_JURISDICTION_NOT_FOUND"],
    coverage: true
  },
  validateClaim,
  validateClaimTwin: {
    ...validateClaim,
    path: "/claim-validation",
    summary: "The older twin of /claims/validate"
  }
} as const satisfies Record<string, Operation>
