/** Policies, their criteria, changes, comparisons and acknowledgements. */
export const policyDescriptions = {
  policy_id: "The id of the policy, such as `L33831`, `A52423`, `NCD 220.6` or a payer's own id.",
  "query.policy_id": "Only changes of this policy, such as `L33831` or `NCD 220.6`.",
  "getPolicy.path.id":
    "The id of the policy in any usual writing, such as `L33831`, `ncd 220.6` or a payer's own id.",
  title: "The title of the policy.",
  policy_title: "The title of the policy.",
  policy_type: "The kind of document: LCD, Article, NCD, PayerPolicy, Medical Policy or Drug Policy.",
  "query.policy_type":
    "Only policies of this kind: LCD, Article, NCD, PayerPolicy, Medical Policy or Drug Policy.",
  "body.policy_type":
    "Only policies of this kind: LCD, Article, NCD, PayerPolicy, Medical Policy or Drug Policy. All " +
    "Medicare kinds if absent.",
  policy_type_filter: "The policy type of the request. Null if the request had none.",
  jurisdiction:
    "The Medicare jurisdictions where the policy applies, joined by commas, such as `JH` or `J5, " +
    "J8`. Null for a national or payer policy.",
  "query.jurisdiction":
    "A MAC jurisdiction such as `JH`, or a state such as `TX`. Only policies that apply there are " +
    "returned.",
  "comparison.jurisdiction":
    "The jurisdiction that was compared, such as `JH`, or the state that was requested.",
  "query.payer": "Only policies of this payer, by its code or name. `medicare` always exists.",
  "policies.data.payer": "The code of the payer that issued the policy, such as `medicare`.",
  "getPolicy.data.payer":
    "The payer that issued the policy. Null when the payer is not in the list of payers.",
  "comparison.policies.payer": "The code of the payer that issued the policy, such as `medicare`.",
  "national_policies.payer": "The code of the payer that issued the policy, such as `medicare`.",
  "payer.code": "The code of the payer, as GET /payers lists it.",
  payer_name: "The name of the payer that issued the policy. Null when it is not known.",
  effective_date:
    "The first day on which the policy version is in force, YYYY-MM-DD. Null when the source gives " +
    "none.",
  retire_date: "The last day on which the policy is in force, YYYY-MM-DD. Null when it has no end date.",
  last_reviewed_date:
    "The day on which the source last reviewed the policy, YYYY-MM-DD. Null when the source gives " + "none.",
  "policies.data.status":
    "The status of the policy on the requested day: `active`, `retired`, `future`, `proposed`, or " +
    "`unknown` (the snapshot does not state it).",
  "listPolicies.query.status": "Which policies to return: `active` (the default), `retired` or `all`.",
  document_version:
    "The version number of the source document, such as an LCD's `52`. Null when the source gives " + "none.",
  version: "The service's version number of the policy, counted from 1.",
  source_url: "The web page of the policy version. Null when the source names none.",
  source_shape:
    "How much of the policy is structured: `criteria_backed` (criteria text), `code_list_only` or " +
    "`metadata_only`.",
  source_shape_reason: "A sentence that gives the reason for `source_shape`.",
  "getPolicy.data.summary":
    "The beginning of the policy's text, at most 400 characters. Null when the policy has no text.",
  "listPolicies.data.summary":
    "The beginning of the policy's text, at most 400 characters. Present with `include=summary`; " +
    "null when the policy has no text.",
  match:
    "How the policy matches the search: `all` (every word), `some` (some words) or `near` (similar " +
    "spelling). Present only when the request has `q`.",
  "policies.data.description": "The description of the policy. Null when the source gives none.",
  keywords: "Keywords that the source gives the policy. Null when it gives none.",
  "policies.data.created_at": "When the service first imported the policy, as a UTC date-time.",
  "policies.data.updated_at":
    "When the service imported the newest version of the policy, as a UTC date-time.",
  sections: "The main sections of the policy as text.",
  indications: "When the service is indicated, as text. Null when the policy has no such section.",
  limitations: "What limits coverage, as text. Null when the policy has no such section.",
  documentation: "What must be documented, as text. Null when the policy has no such section.",
  criteria: "The policy's criteria by section. Present with `include=criteria`.",
  "listPolicies.data.criteria":
    "The first 20 passages of the policy's criteria. Present with `include=criteria`.",
  criteria_count: "The number of passages in the policy's criteria.",
  block_id: "The id of the passage, stable while the policy contains it.",
  criteria_id: "The id of the passage, stable while the policy contains it.",
  text: "The text of the passage.",
  "getPolicy.data.criteria.text": "The text of the passage. Null when the source gives none.",
  tags: "Topics of the passage, set by the source. Null when it has none.",
  requires_manual_review:
    "Whether a person must read the passage because it cannot be evaluated from codes alone.",
  confidence_score:
    "How certain the structured form of the passage is, 0 to 1, as its source states it. Null when " +
    "the source states none.",
  section:
    "The section of the passage: `indications`, `limitations`, `documentation`, `frequency` or " + "`other`.",
  "query.section":
    "Only passages of this section: `indications`, `limitations`, `documentation`, `frequency` or " +
    "`other`.",
  logic_ast:
    "The passage as a condition that the service can evaluate. Null when the passage exists as text " +
    "only.",
  op: "The operator, which determines the other members of the condition.",
  "logic_ast.criteria": "The conditions that `all` or `any` combines, each shaped like this object.",
  criterion: "The condition that `not` negates, shaped like this object.",
  param: "The name of the rule-level input that is compared.",
  "logic_ast.comparison": "How the input is compared with `value`: eq, ne, lt, le, gt, ge or in.",
  value: "The value that the input is compared with; a list for `in`.",
  unit: "The unit of the value, for readers. Absent when the value has no unit.",
  system: "The code system of the codes in `any_of`.",
  any_of: "The values of which any one satisfies the condition.",
  min: "The lowest age in whole years, included. Absent when there is no lower limit.",
  max: "The highest age in whole years, included. Absent when there is no upper limit.",
  count: "The number of services allowed within `days`.",
  days: "The length of the period in days.",
  "listPolicies.data.codes": "The first 50 codes that the policy lists. Present with `include=codes`.",
  "getPolicy.data.codes": "The codes that the policy lists, by code system. Present with `include=codes`.",
  "comparison.policies.codes": "The requested codes that the policy applies to.",
  "national_policies.codes": "The requested codes that the policy applies to.",
  code_count: "The number of codes that the policy lists.",
  "listPolicies.data.code_count": "The number of codes that the policy lists. Present with `include=codes`.",
  display:
    "The description of the code, from the document or else from the code table. Null when neither " +
    "has one, and for CPT.",
  disposition:
    "How the policy treats the code: `covered`, `not_covered`, `requires_pa` or `conditional`. A " +
    "procedure that is only listed is `conditional`.",
  "comparison.policies.disposition":
    "How the policy treats the requested codes: the most restrictive of their dispositions.",
  "national_policies.disposition":
    "How the policy treats the requested codes: the most restrictive of their dispositions.",
  "policies.codes.disposition":
    "How the policy treats this code: `covered`, `not_covered`, `requires_pa` or `conditional`.",
  "national_policies.codes.disposition":
    "How the policy treats this code: `covered`, `not_covered`, `requires_pa` or `conditional`.",
  condition_reference:
    "A reference to the condition that applies to the code. Null when the source gives none.",
  "codes.notes": "A note about the code. Null when the source gives none.",
  source:
    "How the code is known to belong to the policy: `document` (the document lists it) or " +
    "`inferred_title_match` (inferred from the title).",
  versions: "The history of the policy, one entry for each change. Present with `include=versions`.",
  "versions.timestamp": "When the change was recorded, as a UTC date-time.",
  related: "Policies that this policy refers to, such as the Article of an LCD.",
  q:
    "Words to search for in titles, text and code descriptions, at most 500 characters. Policies " +
    "that contain every word come first.",
  "searchCriteria.query.q": "Words to search for in the passages, 1 to 500 characters.",
  mode:
    "`keyword`, the default, or `semantic`. Semantic search is not available: it runs the widest " +
    "keyword search and sets `meta.search.fallback`.",
  icd10:
    "Only policies that list this diagnosis code. A category such as `E11` or `E11.*` " +
    "means any of its codes.",
  "listPolicies.query.include": "A comma list of what to add: `summary`, `criteria` and `codes`.",
  "getPolicy.query.include": "A comma list of what to add: `criteria`, `codes` and `versions`.",
  "listPolicies.query.format": "`json`, the default, or `csv` for the same rows as CSV.",
  "query.since":
    "Only changes at or after this time: an RFC 3339 date-time, or a date for its first moment in " + "UTC.",
  diff_id: "The id of the change.",
  "body.diff_id":
    "The id of the change to acknowledge, from GET /policies/changes or GET /compliance/unreviewed.",
  "body.diff_ids": "The ids of the changes to acknowledge, 1 to 200. Repeated ids are acknowledged once.",
  old_version: "The version before the change. Null when the change created the policy.",
  new_version: "The version after the change.",
  change_type:
    "What changed: created, updated, retired, codes_changed, criteria_changed or metadata_changed.",
  "query.change_type":
    "Only changes of this type: created, updated, retired, codes_changed, criteria_changed or " +
    "metadata_changed.",
  change_summary: "The change in a sentence.",
  changed_at: "When the change was recorded, as a UTC date-time.",
  "policies.data.details": "What exactly changed.",
  changed_fields: "The names of the policy fields that changed. Empty when the policy was created.",
  added_codes: "Codes that the new version lists and the old one does not.",
  removed_codes: "Codes that the old version lists and the new one does not.",
  modified_criteria: "Ids (`block_id`) of passages that were added, removed or reworded.",
  "body.jurisdictions":
    "The jurisdictions or states to compare, at most 10, such as `JH` or `TX`. Every jurisdiction " +
    "with a policy on the codes if absent.",
  comparison: "One entry for each jurisdiction, with its policies and a count of their dispositions.",
  "comparison.policies": "The local policies of the jurisdiction that apply to the codes.",
  reached_by:
    "How the policy applies to the codes: `code_list` (it lists them), `related_policy` (a related " +
    "document lists them) or `curated_list` (the service's table of NCD codes).",
  coverage_summary:
    "The number of requested codes by the most restrictive disposition among the policies of the " +
    "jurisdiction.",
  not_covered: "How many of the requested codes are not covered in this jurisdiction.",
  requires_pa: "How many of the requested codes require prior authorization in this jurisdiction.",
  conditional: "How many of the requested codes are covered under conditions in this jurisdiction.",
  national_policies: "The policies that apply in every jurisdiction.",
  "comparePolicies.data.summary": "Totals of the comparison.",
  total_jurisdictions: "The number of jurisdictions compared.",
  jurisdictions_with_coverage: "The number of compared jurisdictions that have a policy on the codes.",
  national_policies_count: "The number of policies in `national_policies`.",
  has_variation:
    "Whether the jurisdictions differ in how they treat the codes. Having no policy on a code counts " +
    "as a difference.",
  queried_codes: "The procedure codes that were compared.",
  requested_jurisdictions:
    "The jurisdictions of the request in their usual writing. Null if the request had none.",
  unresolved_jurisdictions: "Requested jurisdictions that do not exist. They are left out of the comparison.",
  total_changes_30d: "The number of policy changes of the last 30 days.",
  acknowledged_count: "How many of those changes your organization has acknowledged.",
  unreviewed_count: "How many of those changes your organization has not acknowledged.",
  acknowledgment_rate: "The acknowledged share of those changes in percent, 0 to 100.",
  critical_unreviewed: "How many unreviewed changes affect codes or criteria.",
  "body.notes":
    "A note to store with the acknowledgement, at most 500 characters. Do not include patient data.",
  "acknowledgeChange.data.id":
    "The id of the acknowledgement. A repeated acknowledgement returns the first one's id.",
  "acknowledgeChange.data.acknowledged": "Always true.",
  "acknowledgeChanges.data.acknowledged": "The number of changes that this request acknowledged.",
  "acknowledgeChange.data.already_acked": "Whether your organization had acknowledged the change before.",
  "acknowledgeChanges.data.already_acked":
    "The number of changes that your organization had acknowledged before, repeated ids included.",
  invalid_ids: "The ids of the request that name no change.",
  "acknowledgeChanges.data.total": "The number of ids in the request, repeated ids included."
} as const satisfies Readonly<Record<string, string>>
