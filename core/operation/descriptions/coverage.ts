/** Coverage decisions: claims, prior authorization and single policies. */
export const decisionDescriptions = {
  procedure_codes:
    "The procedure codes, 1 to 10, each CPT or HCPCS. Send one code per element and modifiers in " +
    "their own field.",
  "data.procedure_codes": "The procedure codes of the request.",
  payer:
    "The payer's code or name. Traditional Medicare if absent. An unknown payer adds the gap `payer` " +
    "to `known_gaps`.",
  "claims.data.payer": "The payer of the request. Null if the request had none.",
  "claims.body.line_of_business":
    "The payer's line of business, which selects among the policies of that payer.",
  "claims.data.line_of_business": "The line of business of the request. Null if the request had none.",
  provider_specialty:
    "The specialty of the provider, as the policy words it. Used by policies that restrict a service " +
    "to specialties.",
  "data.provider_specialty": "The specialty of the request. Null if the request had none.",
  plan_type:
    "The kind of plan. `medicare_advantage` applies Medicare policies as a floor and then the plan's " +
    "own.",
  "data.plan_type": "The plan type of the request. Null if the request had none.",
  diagnosis_codes:
    "ICD-10-CM codes that the service is for, with or without the dot. Without them " +
    "`diagnosis_support` is usually `unknown`.",
  "data.diagnosis_codes": "The diagnosis codes of the request. Null if the request had none.",
  modifiers:
    "Modifiers of the claim, at most 5, each two letters or digits such as `59` or `RT`. They apply " +
    "to the claim and not to one line.",
  "data.modifiers": "The modifiers of the request. Null if the request had none.",
  state:
    "The state where the service is given, as two letters such as `TX`. Local policies decide only " +
    "with a state.",
  "data.state": "The state of the request. Null if the request had none.",
  date_of_service: "The date of service, YYYY-MM-DD. Today in UTC if absent.",
  "data.date_of_service": "The date of service of the request, YYYY-MM-DD. Null if the request had none.",
  site_of_service:
    "Where the service is given, such as `office`, `outpatient_hospital`, `asc`, `inpatient`, `home` " +
    "or `telehealth`.",
  "data.site_of_service": "The site of service of the request. Null if the request had none.",
  age_category:
    "The patient's age band: `pediatric`, `adult` or `medicare_age`. Never send an age or a birth " + "date.",
  "data.age_category": "The age category of the request. Null if the request had none.",
  sex_when_policy_relevant: "The patient's sex. Send it only where a policy depends on it.",
  "data.sex_when_policy_relevant": "The sex of the request. Null if the request had none.",
  units:
    'Units by procedure code, such as `{"97110": 2}`, checked against the medically unlikely edits ' +
    "(MUE).",
  "data.units": "The units of the request by procedure code. Null if the request had none.",
  attested_conditions:
    "The `condition_id` of each condition that a person has confirmed, at most 50. An attested " +
    "condition counts as met; attesting never lifts a gap.",
  "data.notes":
    "What a modifier of the claim states that is no issue, such as GA or KX, one sentence each. Often " +
    "empty.",
  "data.attested_conditions": "The condition ids of the request. Null if the request had none.",
  "evaluateCoverage.body.policy_id":
    "The policy to evaluate, such as `L33831`, `A52423`, `NCD 220.6` or a payer's own id.",
  parameters: "The rule-level inputs to evaluate the policy for. Unknown members are rejected.",
  procedure_code:
    "The procedure code to evaluate, CPT or HCPCS. Without it, a policy that lists several " +
    "procedures gives `conditional` at most.",
  "listPolicies.query.procedure_code": "Only policies that list this procedure code.",
  modifier: "A modifier of the procedure, such as `RR` or `59`.",
  place_of_service:
    "Where the service is given, as a name such as `office` or a CMS place-of-service code such as " +
    "`11`.",
  criteria_page: "The page of `criteria_details` to return, from 1. Page 1 if absent.",
  criteria_per_page: "Passages on each page of `criteria_details`, 1 to 100. 25 if absent.",
  coverage_status:
    "The coverage verdict: `covered`, `conditional` (covered if the listed conditions hold), " +
    "`not_covered`, or `unknown` (no policy decides).",
  covered: "Whether `coverage_status` is `covered`. False for `conditional`, `not_covered` and `unknown`.",
  "coverage_summary.covered": "How many of the requested codes are covered in this jurisdiction.",
  diagnosis_support:
    "Whether the diagnoses support the procedure: `supported`, `not_supported`, `unknown`, or " +
    "`not_applicable` (the deciding policies name no diagnoses).",
  conditions:
    "The conditions that remain before the answer can be `covered`, each once. Empty when none " + "remains.",
  "codes.conditions": "The conditions that remain for this code. Empty when none remains.",
  summary: "The answer in one or two sentences: the verdict with its main reason, then what to do next.",
  "trace.condition_id": "The condition that the step is about. Null when it is about none.",
  "body.trace":
    "Whether the answer has the steps of its reasoning: `full` (the default) or `none`. The tools of " +
    "MCP default to `none`.",
  condition_id:
    "The id of the condition, stable while its text is unchanged. Send it in `attested_conditions` " +
    "once a person has confirmed the condition.",
  "conditions.text": "The condition in the words of the policy.",
  "conditions.section": "Where the condition appears: a section of the criteria, or a group of codes.",
  "conditions.policy_id": "The policy that states the condition.",
  "conditions.version": "The service's version number of that policy, counted from 1.",
  kind:
    "What the condition is about: `narrative`, `documentation`, `frequency`, `role` (primary or " +
    "secondary diagnosis), `site`, `age`, `sex`, `specialty`, `modifier` or `exclusion` (attest it when " +
    "it does not apply).",
  "findings.kind": "The kind of identifier that was found.",
  confidence:
    "How certain the answer is: `high` (structured facts decide), `medium` (text remains, or a " +
    "person attested it) or `low` (a gap is named, or only text decides).",
  "evaluateCoverage.data.confidence":
    "How certain the answer is, 0 to 1: 0.9 high, 0.6 medium, 0.3 low, 0 when the status is " + "`unknown`.",
  denial_risk:
    "The risk that a payer denies the claim: `low`, `medium` or `high`. A conditional answer is " +
    "never `low`.",
  overall_risk:
    "The denial risk of the whole claim: `low`, `medium` or `high`. The same value as `denial_risk`.",
  prior_auth_required:
    "Whether prior authorization is required. Null when the loaded lists cannot decide, with a gap " +
    "that names what is missing.",
  "checkPriorAuth.data.prior_auth_required": "The same value as `pa_required`.",
  pa_required:
    "Whether prior authorization is required. False also when the lists cannot decide; then " +
    "`coverage_decision.prior_auth_required` is null and `requires_manual_review` is true.",
  reasons: "Sentences that give the reasons for the verdict, taken from the deciding steps of the trace.",
  reason: "A sentence that gives the reason for the prior authorization answer.",
  requires_manual_review:
    "Whether a person must read the policy text: a condition in prose is open, a gap is named, or " +
    "the status is `unknown`.",
  known_gaps:
    "Names of the facts that were missing, such as `state` or `related_policy`. Empty when nothing " +
    "was missing; attesting never removes one.",
  issues: "Problems found, each a name, a colon and a sentence. Empty when none was found.",
  documentation_requirements:
    "Documentation that the policies and the prior authorization rules require, one entry per " +
    "requirement.",
  documentation_checklist:
    "What the prior authorization rules require to be submitted, one entry per item. Empty when no " +
    "rule applies.",
  policy_sources: "The policies that the answer is based on, without their codes.",
  "codes.policy_sources":
    "The policies that the line is based on, by id. The claim's own `policy_sources` has the rest.",
  matched_policies: "The policies that apply to the request, each with the requested codes that it lists.",
  "matched_policies.codes": "The procedure and diagnosis codes of the request that the policy lists.",
  source_id: "The policy version that was read: policy id, `@` and version, such as `L33831@3`.",
  last_verified_at: "When this version of the policy was last imported, as a UTC date-time.",
  "claims.data.last_verified_at":
    "When the newest of the policies was imported, as a UTC date-time. Null when no policy applies.",
  "data.effective_date":
    "The first day of the rule that requires prior authorization, otherwise of the newest policy " +
    "that applies, YYYY-MM-DD. Null when there is neither.",
  "coverage_decision.effective_date":
    "The first day of the rule that requires prior authorization, otherwise of the newest policy " +
    "that applies, YYYY-MM-DD. Null when there is neither.",
  "claims.data.codes": "One line for each procedure code, in alphabetical order.",
  code_type: "The code system of the procedure code by its shape: CPT, HCPCS or UNKNOWN.",
  policy_count: "The number of policies that apply to the code.",
  programs_checked: "Every prior authorization list that was checked.",
  program: "The name of the prior authorization program, such as `OPD` or `DMEPOS`.",
  list_as_of:
    'The day on which the list was last checked against its source, YYYY-MM-DD. A "not required" ' +
    "answer needs a list from the last 12 months.",
  "programs_checked.source_url": "The page that the list was taken from. Null when the list names none.",
  coverage_decision:
    "The whole decision in one object. Here `prior_auth_required` is null when the lists cannot " + "decide.",
  criteria_details: "Passages of the policies about indications and limitations, one page at a time.",
  "criteria_details.indications": "Passages that state when the service is indicated.",
  "criteria_details.limitations": "Passages that limit coverage of the service.",
  "criteria_details.pagination": "The page of passages that was returned.",
  page: "The page number, from 1.",
  per_page: "Passages on each page.",
  total: "The number of passages on all pages.",
  total_indications: "The number of passages about indications on all pages.",
  total_limitations: "The number of passages about limitations on all pages.",
  matched_criteria: "Ids (`block_id`) of structured passages whose condition is met.",
  unmatched_criteria: "Ids (`block_id`) of structured passages whose condition is not met.",
  skipped_criteria:
    "Ids (`block_id`) of structured passages that could not be evaluated because an input is " + "missing.",
  blocks_evaluated: "The number of structured passages that were evaluated as met or not met.",
  blocks_without_ast: "The number of passages that exist as text only and need a person to read them.",
  policy: "The policy that was evaluated.",
  trace: "Every step of the reasoning, in order, with the words it rests on.",
  rule: "The name of the rule that the step applied, such as `ncd.level` or `article.dx_covered`.",
  "trace.policy_id": "The policy that the step read. Null for a step that weighs several policies or none.",
  "trace.version":
    "The service's version number of that policy, counted from 1. Null when the step names no " + "policy.",
  group: "The number of the code group that the step read. Null when the step read none.",
  result: "What the step found, in a sentence.",
  quote:
    "The words of the policy that the step rests on, verbatim, at most 300 characters. Null when the " +
    "step rests on no text.",
  citation: "Where the quoted words come from.",
  "citation.source_url": "The page of the policy version that was read. Null when the source names none.",
  "citation.section": "The section of the document. Null when the step rests on no section."
} as const satisfies Readonly<Record<string, string>>
