import type { CoverageStatus, DiagnosisSupport } from "../../core/coverage/CoverageDecision.ts"

/** What a value of an answer means, and what the reader does about it. */
export interface ValueMeaning {
  readonly means: string
  readonly action: string
}

/** Meanings of `coverage_status`. */
export const statusMeanings: Readonly<Record<CoverageStatus, ValueMeaning>> = {
  covered: {
    means:
      "Every condition of every deciding policy is structured and met, or attested, and no gap limits the status.",
    action: "Bill with the documentation in `documentation_requirements`."
  },
  conditional: {
    means: "The policies cover the service under conditions, or a fact is missing.",
    action: "Confirm each entry of `conditions` and close each entry of `known_gaps`."
  },
  not_covered: {
    means: "A policy denies the service, by name or because it lists other diagnoses only.",
    action: "Read `issues` and `trace` for the words that deny it. Check the codes before you bill."
  },
  unknown: {
    means: "No policy in the library decides. This is neither coverage nor a denial.",
    action: "Check payer, state and date. Ask the payer if they are right."
  }
}

/** Meanings of `diagnosis_support`. */
export const supportMeanings: Readonly<Record<DiagnosisSupport, ValueMeaning>> = {
  supported: {
    means: "A list of supporting diagnoses names at least one of yours.",
    action: "Nothing for this axis. Conditions in prose may remain, so the status can still be `conditional`."
  },
  not_supported: {
    means: "The lists of diagnoses deny yours or do not name them.",
    action: "Check the diagnosis codes against the policy's lists."
  },
  unknown: {
    means: "The lists could not be applied: no diagnosis was sent, or their scope or text is unclear.",
    action: "Send `diagnosis_codes`, and read the group quoted in `trace`."
  },
  not_applicable: {
    means: "The deciding policies name no diagnoses.",
    action: "Nothing for this axis."
  }
}

/** Meanings of a condition's `kind`, and what attesting it states. */
export const kindMeanings: Readonly<Record<string, ValueMeaning>> = {
  narrative: {
    means: "A requirement in prose, such as a finding or a treatment tried first.",
    action: "The requirement is met."
  },
  documentation: { means: "Something that the record must contain.", action: "The record contains it." },
  frequency: {
    means: "A limit on how often the service is covered.",
    action: "The service is within the limit."
  },
  role: {
    means: "A diagnosis must be primary or secondary, or must come with another.",
    action: "The diagnoses are reported in that role."
  },
  site: { means: "The service is covered at certain sites only.", action: "The site is one of them." },
  age: {
    means: "The service is covered for certain ages only.",
    action: "The patient's age is one of them."
  },
  sex: { means: "The service is covered for one sex only.", action: "The patient's sex is that one." },
  specialty: {
    means: "Only certain specialties may provide or order the service.",
    action: "The provider has one of them."
  },
  modifier: { means: "The claim needs a certain modifier.", action: "The claim has it." },
  exclusion: {
    means: "The service is not covered in the case that the text describes.",
    action: "The exclusion does not apply."
  }
}

/** Inputs that the request lacks: the caller can add them. */
const inputGaps: Readonly<Record<string, ValueMeaning>> = {
  age_category: {
    means: "A policy depends on the patient's age band.",
    action: "Send `age_category`."
  },
  diagnosis_codes: {
    means: "A policy depends on the diagnosis, and none was sent.",
    action: "Send `diagnosis_codes`."
  },
  modifiers: {
    means: "A policy depends on a modifier.",
    action: "Send the claim's `modifiers`."
  },
  payer: {
    means: "The payer is not in the library, so no policy of it was read.",
    action: "Send a code or name from `GET /payers`."
  },
  primary_diagnosis: {
    means: "The diagnosis supports the service only beside a primary diagnosis of the same policy.",
    action: "Send the primary diagnosis too."
  },
  procedure_code: {
    means: "The policy lists several procedures, and none was sent.",
    action: "Send `procedure_code`."
  },
  procedure_codes: {
    means: "A prior authorization list names the code only beside certain others, and it was sent alone.",
    action: "Send every code of the claim in `procedure_codes`."
  },
  provider_specialty: {
    means: "A policy restricts the service to specialties.",
    action: "Send `provider_specialty`."
  },
  sex_when_policy_relevant: {
    means: "A policy depends on the patient's sex.",
    action: "Send `sex_when_policy_relevant`."
  },
  site_of_service: {
    means: "Policies or prior authorization differ by site of service.",
    action: "Send `site_of_service`."
  },
  state: {
    means: "Local policies or prior authorization differ by state.",
    action: "Send `state`."
  }
}

/** Facts that the library lacks or that only a person can read. */
const libraryGaps: Readonly<Record<string, ValueMeaning>> = {
  asterisk_text: {
    means: "An asterisk marks the code, and the policy does not explain it.",
    action: "Read the policy's code list at its `source_url`."
  },
  code_not_found: {
    means: "The code tables for the date of service do not have the code, and no policy in force names it.",
    action: "Check the code for a typing error."
  },
  conflicting_policies: {
    means: "A national and a local policy decide differently.",
    action: "Read the `issues`, which name both, and ask the MAC."
  },
  contractor: {
    means: "The policy names no contractor, so where it applies is unknown.",
    action: "Check with the MAC of your state whether it applies."
  },
  contradictory_lists: {
    means: "One list of the policy supports the diagnosis and another denies it.",
    action: "Read both groups, which `trace` quotes."
  },
  coverage_criteria: {
    means: "The library has no criteria of the policy that could be met.",
    action: "Read the policy at its `source_url`."
  },
  coverage_level: {
    means: "The national determination has no defined level of coverage.",
    action: "Read the determination at its `source_url`."
  },
  diagnosis_list: {
    means: "A laboratory determination lists its diagnoses in a table that is not loaded.",
    action: "Check the diagnosis against the determination's list at its `source_url`."
  },
  group_scope: {
    means: "It is unclear which procedures or diagnoses a group of codes is about.",
    action: "Read the group's paragraph, which `trace` quotes."
  },
  hcpcs_edition: {
    means: "No loaded HCPCS edition covers the date of service, so the code could not be checked.",
    action: "Check that the code is valid on that date, or import the edition."
  },
  icd10cm_edition: {
    means: "No loaded ICD-10-CM edition covers the date of service, so the code could not be checked.",
    action: "Check that the code is valid on that date, or import the edition."
  },
  ncd_scope: {
    means: "It is only inferred that the national determination is about the code.",
    action: "Read the determination and check that it is about your service."
  },
  policy_status: {
    means: "The snapshot does not state whether the policy is in force.",
    action: "Check the policy's status at its `source_url`."
  },
  prior_authorization: {
    means: "The policy requires prior authorization, or the lists cannot decide whether it is required.",
    action: "Send `state` and `site_of_service`, then check with the payer."
  },
  related_policy: {
    means: "The policy refers to another that the library does not have.",
    action: "Read the other policy, which `trace` names."
  },
  supporting_diagnoses: {
    means: "The policy lists only diagnoses that do not support the service.",
    action: "Ask the MAC which diagnoses do."
  }
}

/** Meanings of the names in `known_gaps`. */
export const gapMeanings: Readonly<Record<string, ValueMeaning>> = { ...inputGaps, ...libraryGaps }
