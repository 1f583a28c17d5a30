import type { Case } from "./Case.ts"

/** Whose policies decide; payers' own policies are authored (authored.ts), Medicare's are the real ones. */
export const payerCases: ReadonlyArray<Case> = [
  {
    says: "a payer whom nobody knows: a claim names the gap",
    ask: "validateClaim",
    body: {
      procedure_codes: ["E0601"],
      payer: "Southern Mutual",
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: {
      status: "unknown",
      priorAuth: null,
      policies: [],
      gaps: ["payer", "prior_authorization"],
      issues: []
    },
    reasoning: "Medicare's L33718 says nothing of another payer. Who it is, is missing."
  },
  {
    says: "and so does a check of prior authorization",
    ask: "checkPriorAuth",
    body: {
      procedure_codes: ["E0601"],
      payer: "Southern Mutual",
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: {
      status: "unknown",
      priorAuth: null,
      gaps: ["payer", "prior_authorization"],
      review: true,
      mac: null
    },
    reasoning: "A payer is refused where it is the thing asked for, and here the question is about a service."
  },
  {
    says: "Medicare by another of its names is Medicare",
    ask: "validateClaim",
    body: {
      procedure_codes: ["E0601"],
      payer: "Original Medicare",
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: { status: "conditional", policies: ["L33718"], gaps: [] },
    reasoning: "Original Medicare, CMS and Medicare FFS are traditional Medicare."
  },
  {
    says: "a commercial plan of nobody's name has no policies to look up",
    ask: "validateClaim",
    body: {
      procedure_codes: ["E0601"],
      plan_type: "commercial",
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: { status: "unknown", policies: [], gaps: ["payer", "prior_authorization"] },
    reasoning: "NCDs and LCDs bind Medicare. A commercial plan decides by its own policies: whose?"
  },
  {
    says: "Medicare Advantage covers at least what Medicare does, whoever the plan is",
    ask: "validateClaim",
    body: {
      procedure_codes: ["E0601"],
      plan_type: "medicare_advantage",
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: {
      status: "conditional",
      priorAuth: null,
      policies: ["L33718"],
      gaps: ["payer", "prior_authorization"]
    },
    reasoning:
      "42 CFR 422.101: NCDs and LCDs are the floor. Its own rules of authorization are unknown while " +
      "the plan is, so null with the payer missing."
  },
  {
    says: "the federal lists of authorization are not a Medicare Advantage plan's",
    ask: "validateClaim",
    body: {
      procedure_codes: ["K0857"],
      plan_type: "medicare_advantage",
      state: "OH",
      date_of_service: "2026-01-15"
    },
    expect: {
      status: "conditional",
      priorAuth: null,
      policies: ["L33789", "L40344"],
      gaps: ["payer", "prior_authorization"]
    },
    reasoning: "42 CFR 414.234 speaks of traditional Medicare; a plan has its own list, which nobody named."
  },
  {
    says: "a commercial payer decides by its own policy and by none of Medicare's",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0601"], payer: "Northern Plan", state: "TX", date_of_service: "2026-01-15" },
    expect: { status: "conditional", priorAuth: true, policies: ["NP-1"], gaps: [], mac: null },
    reasoning: "NP-1 states that E0601 needs authorization; L33718 is Medicare's and no contractor answers."
  },
  {
    says: "before its policy began the payer has none",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0601"], payer: "northern-plan", state: "TX", date_of_service: "2024-12-31" },
    expect: { status: "unknown", priorAuth: null, policies: [] },
    reasoning: "NP-1 begins on 2025-01-01."
  },
  {
    says: "what a payer does not cover never needs authorization",
    ask: "validateClaim",
    body: {
      procedure_codes: ["K0606"],
      payer: "Northern Plan",
      line_of_business: "commercial",
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: { status: "not_covered", priorAuth: false, policies: ["NP-2"], risk: "high" },
    reasoning: "NP-2 states that the wearable defibrillator is not covered for its commercial line."
  },
  {
    says: "the payer's Medicare Advantage line is not bound by its commercial policy",
    ask: "validateClaim",
    body: {
      procedure_codes: ["K0606"],
      payer: "Northern Plan",
      plan_type: "medicare_advantage",
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: { status: "conditional", policies: ["L33690"] },
    reasoning:
      "NP-2 is of the commercial line; for Medicare Advantage Medicare's L33690, which lists K0606, is the floor."
  }
]
