import type { Case } from "./Case.ts"

const manyLcds = [
  ...["L33318", "L33611", "L33733", "L33735", "L33790", "L33791", "L33792", "L33794", "L33826"],
  ...["L33828", "L33830", "L33831", "L36267", "L38955", "L40345"]
]

/** What L33831, L33794 and L33733 relate to; the other NCDs that the lists cite are in no row here. */
const theirNcds = ["NCD 270.4", "NCD 270.5", "NCD 280.14", "NCD 280.2"]

/** Local determinations: lists of codes, places, retirement; and the validity of codes on the day. */
export const localCases: ReadonlyArray<Case> = [
  {
    says: "a CPAP device in Texas: an LCD that lists a code covers it conditionally",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0601"], state: "TX", date_of_service: "2026-01-15" },
    expect: {
      status: "conditional",
      priorAuth: false,
      policies: ["L33718"],
      gaps: [],
      risk: "medium",
      confidence: "low",
      review: true,
      mac: "18003",
      trace: ["policy.listed"]
    },
    reasoning:
      "L33718 lists E0601 and is issued by all four DME contractors; Texas is region C (CGS, 18003). 'A " +
      "code's presence is not coverage': conditional, for a person to read. Its NCDs (226, 190) are not " +
      "in this part of the tables. No prior-authorization list names E0601, and a policy matched: false."
  },
  {
    says: "a supporting diagnosis changes nothing where no list of diagnoses is at hand",
    ask: "validateClaim",
    body: {
      procedure_codes: ["E0601"],
      diagnosis_codes: ["G47.33"],
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: { status: "conditional", policies: ["L33718"], gaps: [], issues: [], confidence: "low" },
    reasoning:
      "Diagnoses stand in the related Article A52467, which is not in the snapshot. G47.33 is billable; " +
      "the LCD's list alone remains conditional, and no gap is named, since a diagnosis was given."
  },
  {
    says: "without a state a local policy is conditional and the state is missing",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0601"], date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L33718"], gaps: ["state"], mac: null },
    reasoning: "L33718 is local; where the service happens was not said, so nobody's policy is confirmed."
  },
  {
    says: "California: region D answers for equipment",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0601"], state: "CA", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L33718"], gaps: [], mac: "19003" },
    reasoning:
      "contractor_jurisdiction gives CA to 19003 (Noridian, region D) for DME, besides A/B and home health."
  },
  {
    says: "northern California is California",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0601"], state: "NF", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L33718"], gaps: [], mac: "19003" },
    reasoning:
      "NF has only 01112 in contractor_jurisdiction, a Part B number: taken by its letters no DME policy " +
      "would apply there. It is a part of California, which 19003 serves."
  },
  {
    says: "Queens is New York, which region A serves",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0601"], state: "QN", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L33718"], gaps: [], mac: "16013" },
    reasoning: "QN belongs to 13292 alone; as New York it has 16013 (region A) for equipment."
  },
  {
    says: "western Missouri is Missouri, although its own row ended in 2009",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0601"], state: "WM", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L33718"], gaps: [], mac: "19003" },
    reasoning: "WM has one row, of 05302, with term_date 2009-07-31. As Missouri it is region D's (19003)."
  },
  {
    says: "a state that does not exist is refused, not ignored",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0601"], state: "ZZ", date_of_service: "2026-01-15" },
    expect: { refusal: "RESOURCE_JURISDICTION_NOT_FOUND" },
    reasoning:
      "state_lookup has no ZZ, nor has any list of states; to ignore it would answer another question."
  },
  {
    says: "two LCDs of nebulizers list a drug until one retires",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["J7605"], state: "OH", date_of_service: "2026-12-03" },
    expect: { status: "conditional", policies: ["L33370", "L40269", "NCD 200.2"], gaps: [] },
    reasoning:
      "lcd_future_retire ends L40269 on 2026-12-03, a closed day. L33370 stays. Both relate to 200.2 (level 2)."
  },
  {
    says: "the day after, only the other one is left",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["J7605"], state: "OH", date_of_service: "2026-12-04" },
    expect: { status: "conditional", policies: ["L33370", "NCD 200.2"], gaps: [] },
    reasoning: "L40269 was in force until 2026-12-03 and no longer."
  },
  {
    says: "A9270 is on seventeen lists, two of which end before December",
    ask: "validateClaim",
    body: { procedure_codes: ["A9270"], state: "OH", date_of_service: "2026-12-01" },
    expect: { status: "conditional", policies: [...manyLcds, ...theirNcds], issues: [] },
    reasoning:
      "lcd_x_hcpc_code has A9270 in 17 LCDs; lcd_future_retire ends L40270 on 2026-10-28 and L40247 on " +
      "2026-11-20. Three of the rest relate to NCDs of levels 1, 2 and 3, which reach the code by relation " +
      "alone. 'Non-covered item or service' is the code's name, not a verdict of any of these lists."
  },
  {
    says: "a diagnosis header may not be submitted",
    ask: "validateClaim",
    body: {
      procedure_codes: ["E0601"],
      diagnosis_codes: ["E11"],
      state: "TX",
      date_of_service: "2021-02-01"
    },
    expect: { status: "conditional", policies: ["L33718"], issues: ["code_not_billable: E11 "] },
    reasoning:
      "E11 has flag 0 in the order file: a header. It is an issue; the LCD still answers for the device."
  },
  {
    says: "a fracture without its seventh character is a header, however it is written",
    ask: "validateClaim",
    body: {
      procedure_codes: ["E0130"],
      diagnosis_codes: ["s72.001", "S72.001A"],
      state: "TX",
      date_of_service: "2021-02-01"
    },
    expect: { status: "conditional", policies: ["L33791"], issues: ["code_not_billable: S72.001 "] },
    reasoning: "S72001 has flag 0, S72001A flag 1: one issue, about the first."
  },
  {
    says: "a diagnosis of 2026 cannot be judged by a table of fiscal year 2021",
    ask: "validateClaim",
    body: {
      procedure_codes: ["E0130"],
      diagnosis_codes: ["M54.50"],
      state: "TX",
      date_of_service: "2026-01-15"
    },
    expect: {
      status: "conditional",
      policies: ["L33791"],
      issues: [],
      editions: ["hcpcs_edition", "icd10cm_edition"]
    },
    reasoning:
      "The table is of January 2021, where M54.5 is billable; M54.50 replaced it in October 2021. A table that " +
      "ends before the day says nothing of either."
  },
  {
    says: "tubing that HCPCS ended in 2015 is no valid code in 2016, and nobody covers it",
    ask: "validateClaim",
    body: { procedure_codes: ["A7011"], state: "OH", date_of_service: "2016-01-01" },
    expect: { status: "unknown", policies: [], issues: ["code_terminated: A7011 "], risk: "medium" },
    reasoning:
      "A7011 has termination 20151231 in the 2016 file; no LCD lists it. Invalid and undecided, not refused."
  },
  {
    says: "on its last day the code is still valid",
    ask: "validateClaim",
    body: { procedure_codes: ["A7011"], state: "OH", date_of_service: "2015-12-31" },
    expect: { status: "unknown", policies: [], issues: [] },
    reasoning: "A termination date is the last day on which a code counts."
  },
  {
    says: "a table of 2016 does not judge a day of 2013",
    ask: "validateClaim",
    body: { procedure_codes: ["E0766"], state: "OH", date_of_service: "2013-12-31" },
    expect: { status: "conditional", policies: ["L34823"], issues: [], editions: ["hcpcs_edition"] },
    reasoning:
      "E0766 was added on 2014-01-01, which the table of 2016 need not know. L34823 lists it and " +
      "has no dates here, so the list still answers."
  },
  {
    says: "a code that a present LCD lists and the table of 2016 does not know",
    ask: "validateClaim",
    body: { procedure_codes: ["E0734"], state: "OH", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L39591"], issues: [], editions: ["hcpcs_edition"] },
    reasoning:
      "L39591 lists E0734, which is younger than the HCPCS file at hand: it exists, and the policy decides."
  },
  {
    says: "a code that nobody knows is unknown with an issue",
    ask: "validateClaim",
    body: { procedure_codes: ["Q9999"], state: "OH", date_of_service: "2016-06-01" },
    expect: { status: "unknown", policies: [], issues: ["code_not_found: Q9999 "], priorAuth: null },
    reasoning: "Q9999 is in no table and on no list: 'unknown if nothing else applies'."
  }
]
