import type { Case } from "./Case.ts"

/**
 * What this part of the real tables cannot show, since it holds no Articles and no level 4: authored
 * documents (authored.ts) beside the real ones. The contractors, states and diagnoses are real.
 */
export const authoredCases: ReadonlyArray<Case> = [
  {
    says: "a supporting diagnosis in Texas is covered",
    ask: "validateClaim",
    body: {
      procedure_codes: ["97610"],
      diagnosis_codes: ["L89.154"],
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: {
      status: "covered",
      priorAuth: false,
      policies: ["A99901"],
      gaps: [],
      issues: [],
      risk: "low",
      confidence: "high",
      trace: ["article.dx_covered"]
    },
    reasoning: "A99901 (JH) has one group of procedures and one of supporting diagnoses, with L89.154 in it."
  },
  {
    says: "the same in Pennsylvania is not, and needs no authorization",
    ask: "validateClaim",
    body: {
      procedure_codes: ["97610"],
      diagnosis_codes: ["L89.154"],
      state: "PA",
      date_of_service: "2026-01-15"
    },
    expect: { status: "not_covered", priorAuth: false, policies: ["A99902"], gaps: [], risk: "high" },
    reasoning:
      "A99902 (JL) lists L89.154 among the diagnoses that do not support 97610, and in no supporting group."
  },
  {
    says: "without a state the jurisdictions disagree: conditional, and the state is missing",
    ask: "validateClaim",
    body: { procedure_codes: ["97610"], diagnosis_codes: ["L89.154"], date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["A99901", "A99902"], gaps: ["state"], risk: "medium" },
    reasoning: "JH covers and JL refuses; which of them answers hangs on the state."
  },
  {
    says: "an unsupporting diagnosis where a list of supporting ones exists is not covered",
    ask: "validateClaim",
    body: {
      procedure_codes: ["97610"],
      diagnosis_codes: ["E11.9"],
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: { status: "not_covered", policies: ["A99901"], trace: ["article.dx_not_listed"] },
    reasoning: "The supporting list is not empty and E11.9 is not on it: dx_not_supporting_medical_necessity."
  },
  {
    says: "no diagnosis at all leaves it conditional and names what is missing",
    ask: "validateClaim",
    body: { procedure_codes: ["97610"], state: "TX", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["A99901"], gaps: ["diagnosis_codes"], confidence: "medium" },
    reasoning: "Coverage depends on the diagnosis; one input is missing, so medium confidence."
  },
  {
    says: "a proposed document never decides, whatever it says",
    ask: "validateClaim",
    body: { procedure_codes: ["97597"], state: "TX", date_of_service: "2026-01-15" },
    expect: { status: "unknown", policies: [] },
    reasoning: "DL99905 alone lists 97597, would refuse it, and is proposed."
  },
  {
    says: "California with two jurisdictions that differ is conditional and names them",
    ask: "validateClaim",
    body: {
      procedure_codes: ["97605"],
      diagnosis_codes: ["L89.154"],
      state: "CA",
      date_of_service: "2026-01-15"
    },
    expect: {
      status: "conditional",
      policies: ["A99903", "A99904"],
      issues: ["state_has_several_jurisdictions: DME JD, JE "],
      review: true
    },
    reasoning: "A99903 (JE) supports L89.154, A99904 (DME JD) refuses it; both answer in California."
  },
  {
    says: "a local refusal does not win against a full national coverage",
    ask: "validateClaim",
    body: {
      procedure_codes: ["97606"],
      diagnosis_codes: ["L89.154"],
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: {
      status: "conditional",
      policies: ["A99906", "NCD 999.1"],
      issues: ["local_conflicts_with_ncd: "],
      review: true
    },
    reasoning: "NCD 999.1 (level 1) lists 97606 itself; A99906 refuses the diagnosis. A person has to look."
  },
  {
    says: "a national refusal dominates a local coverage",
    ask: "validateClaim",
    body: {
      procedure_codes: ["97607"],
      diagnosis_codes: ["L89.154"],
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: {
      status: "not_covered",
      priorAuth: false,
      policies: ["A99907", "NCD 999.3"],
      risk: "high"
    },
    reasoning: "NCD 999.3 (level 3) lists 97607 itself: NCD not_covered comes before anything local."
  },
  {
    says: "level 4 is undefined in the source: unknown, neither covered nor refused",
    ask: "validateClaim",
    body: { procedure_codes: ["97608"], state: "TX", date_of_service: "2026-01-15" },
    expect: { status: "unknown", policies: ["NCD 999.4"], priorAuth: false, trace: ["ncd.level"] },
    reasoning: "CMS's dictionary defines 1 to 3; the two rows with 4 are kept as they are and decide nothing."
  }
]
