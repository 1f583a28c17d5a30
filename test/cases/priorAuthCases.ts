import type { Case } from "./Case.ts"

/** Prior authorization by the federal lists: dates, states, suspensions, sites. */
export const priorAuthCases: ReadonlyArray<Case> = [
  {
    says: "a pressure reducing surface needs authorization although no policy at hand lists it",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0193"], state: "TX", date_of_service: "2026-01-15" },
    expect: { status: "unknown", priorAuth: true, policies: [], risk: "high", gaps: [] },
    reasoning:
      "PRSS is on the required list everywhere since 2019-10-21. Coverage and authorization are two " +
      "questions: no list names E0193, so coverage is unknown."
  },
  {
    says: "the first phase asked in four states",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0193"], state: "CA", date_of_service: "2019-07-22" },
    expect: { priorAuth: true },
    reasoning: "PRSS, 2019-07-22 to 2019-10-20: CA, IN, NJ, NC; first day included."
  },
  {
    says: "Texas was not among them",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0193"], state: "TX", date_of_service: "2019-10-20" },
    expect: { priorAuth: false },
    reasoning: "On the last day of the first phase the rule stands and says where: not in Texas."
  },
  {
    says: "and was from the next day on",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0193"], state: "TX", date_of_service: "2019-10-21" },
    expect: { priorAuth: true },
    reasoning: "The second phase, all states, begins on 2019-10-21."
  },
  {
    says: "in the first phase the answer hangs on the state",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0193"], date_of_service: "2019-08-01" },
    expect: { priorAuth: null, gaps: ["prior_authorization", "state"], review: true },
    reasoning: "Four states ask, the others do not, and none was given: it cannot be told, and says why."
  },
  {
    says: "the part of California is within California's rule",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0193"], state: "SF", date_of_service: "2019-08-01" },
    expect: { priorAuth: true, gaps: [] },
    reasoning: "SF is southern California, and California is one of the four states."
  },
  {
    says: "before the list nothing asked, whether a policy is at hand or not",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0193"], state: "CA", date_of_service: "2019-07-21" },
    expect: { status: "unknown", priorAuth: false, policies: [], gaps: [] },
    reasoning: "Every list was looked at, and none asks for E0193 on 2019-07-21."
  },
  {
    says: "a group 3 power wheelchair needs authorization everywhere; two LCDs list it",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["K0857"], state: "OH", date_of_service: "2026-01-15" },
    expect: {
      status: "conditional",
      priorAuth: true,
      policies: ["L33789", "L40344"],
      risk: "high",
      mac: "17013"
    },
    reasoning:
      "PMD from 2019-07-22 in all states. L33789 and its successor L40344 both list K0857. Ohio is region B."
  },
  {
    says: "the day before, policies matched and no rule: not required",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["K0857"], state: "OH", date_of_service: "2019-07-21" },
    expect: { status: "conditional", priorAuth: false, policies: ["L33789", "L40344"] },
    reasoning: "The list's row for K0857 begins on 2019-07-22; the undated LCDs match: false."
  },
  {
    says: "a knee brace until its last day on the list",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["L1833"], state: "OH", date_of_service: "2024-08-11" },
    expect: { status: "conditional", priorAuth: true, policies: ["L33318"] },
    reasoning: "L1833 was on the list from 2022 until 2024-08-11, closed days."
  },
  {
    says: "and not after it",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["L1833"], state: "OH", date_of_service: "2024-08-12" },
    expect: { status: "conditional", priorAuth: false, policies: ["L33318"] },
    reasoning: "It left the list on 2024-08-12, and no other list names it."
  },
  {
    says: "the braces that came onto the list that day",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["L1951"], state: "OH", date_of_service: "2024-08-12" },
    expect: { status: "conditional", priorAuth: true, policies: ["L33686"] },
    reasoning: "L1951 is required from 2024-08-12; the day before it is not."
  },
  {
    says: "were not on it the day before",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["L1951"], state: "OH", date_of_service: "2024-08-11" },
    expect: { status: "conditional", priorAuth: false, policies: ["L33686"] },
    reasoning: "As above, one day earlier."
  },
  {
    says: "osteogenesis stimulators: the requirement is suspended",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0748"], state: "FL", date_of_service: "2026-01-15" },
    expect: { status: "conditional", priorAuth: false, policies: ["L33796", "NCD 150.2"], gaps: [] },
    reasoning:
      "E0747, E0748 and E0760 are suspended since 2024-08-28. L33796 lists E0748 and relates to 150.2 " +
      "(2005-04-27, level 2)."
  },
  {
    says: "all three of them, on the first day of the suspension",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0747", "E0748", "E0760"], state: "FL", date_of_service: "2024-08-28" },
    expect: { priorAuth: false, policies: ["L33796", "NCD 150.2"] },
    reasoning: "suspended_from is 2024-08-28 in every state, first day included."
  },
  {
    says: "facet joint injections in a hospital's outpatient department need authorization",
    ask: "checkPriorAuth",
    body: {
      procedure_codes: ["64490"],
      state: "TX",
      site_of_service: "outpatient_hospital",
      date_of_service: "2023-07-01"
    },
    expect: { status: "unknown", priorAuth: true, policies: [] },
    reasoning:
      "Facet joint interventions are on the outpatient list from 2023-07-01; no policy here lists 64490."
  },
  {
    says: "not the day before",
    ask: "checkPriorAuth",
    body: {
      procedure_codes: ["64490"],
      state: "TX",
      site_of_service: "outpatient_hospital",
      date_of_service: "2023-06-30"
    },
    expect: { status: "unknown", priorAuth: false, policies: [] },
    reasoning: "The category begins on 2023-07-01, and no other list names the code."
  },
  {
    says: "nor in an office",
    ask: "checkPriorAuth",
    body: {
      procedure_codes: ["64490"],
      state: "TX",
      site_of_service: "office",
      date_of_service: "2026-01-15"
    },
    expect: { priorAuth: false, gaps: [] },
    reasoning:
      "42 CFR 419.83 is about hospital outpatient departments; the rule is in force and does not ask there."
  },
  {
    says: "without a site it cannot be told",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["64490"], state: "TX", date_of_service: "2026-01-15" },
    expect: { priorAuth: null, gaps: ["prior_authorization", "site_of_service"], review: true },
    reasoning: "The rule asks at one site only, and none was given."
  },
  {
    says: "blepharoplasty: since 2020, and not in a surgical center",
    ask: "validateClaim",
    body: {
      procedure_codes: ["15823"],
      state: "TX",
      site_of_service: "asc",
      date_of_service: "2020-07-01"
    },
    expect: { status: "unknown", priorAuth: false },
    reasoning: "Blepharoplasty is on the outpatient list from 2020-07-01, at outpatient_hospital only."
  },
  {
    says: "a claim of a wheelchair and a CPAP device needs authorization for the one",
    ask: "validateClaim",
    body: { procedure_codes: ["E0601", "K0857"], state: "OH", date_of_service: "2026-01-15" },
    expect: {
      status: "conditional",
      priorAuth: true,
      policies: ["L33718", "L33789", "L40344"],
      issues: ["prior_auth_required: "],
      risk: "high"
    },
    reasoning: "K0857 alone is on the list; the claim is as bad as its worst line."
  },
  {
    says: "a scooter needs authorization since April 2022",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["K0800"], state: "OH", date_of_service: "2022-04-13" },
    expect: { priorAuth: true, risk: "high" },
    reasoning: "87 FR 2051 puts K0800 to K0802 and K0806 to K0808 on the list, everywhere at once."
  },
  {
    says: "a pneumatic compression device since April 2026, whatever NCD 280.6 says of its coverage",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0652"], state: "TX", date_of_service: "2026-04-13" },
    expect: { priorAuth: true, gaps: [] },
    reasoning: "The notice of 2026-01-13 adds E0651 and E0652 from 2026-04-13."
  },
  {
    says: "more than a year after the lists were checked, nothing is a no",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["K0001"], state: "TX", date_of_service: "2027-06-01" },
    expect: { priorAuth: null, gaps: ["prior_authorization"], review: true },
    reasoning: "The lists are of April 2026: what they leave out in June 2027 nobody here can know."
  },
  {
    says: "a service of the WISeR model hangs on state and site",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["64568"], date_of_service: "2026-02-01" },
    expect: { priorAuth: null, gaps: ["prior_authorization", "site_of_service", "state"] },
    reasoning: "Six states ask, at four sites; neither was given."
  },
  {
    says: "repetitive ambulance transport is authorized everywhere since August 2022",
    ask: "validateClaim",
    body: { procedure_codes: ["A0428"], state: "CA", date_of_service: "2026-02-01" },
    expect: { priorAuth: true, risk: "high" },
    reasoning: "86 FR 48149: the last states joined on 2022-08-01; the reason says that it is about repeats."
  }
]
