import type { Case } from "./Case.ts"

/** National determinations: level, date, retirement, and how one comes to bear on a code. */
export const nationalCases: ReadonlyArray<Case> = [
  {
    says: "acupuncture for low back pain: a national coverage that the curated list leads to is conditional",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["97810"], state: "TX", date_of_service: "2026-01-15" },
    expect: {
      status: "conditional",
      priorAuth: false,
      policies: ["NCD 30.3.3"],
      gaps: [],
      review: true,
      trace: ["ncd.level", "ncd.curated"]
    },
    reasoning:
      "ncd_trkg has 30.3.3 v1 at level 1 from 2020-01-21 and names no codes; 97810 is in its implementing " +
      "instruction (CR 11755). No LCD lists 97810. Level 1 would be covered, but a curated link never says " +
      "more than conditional: the NCD itself asks for chronic low back pain, at most 12 visits in 90 days."
  },
  {
    says: "the first day of a determination is within it",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["97810"], state: "TX", date_of_service: "2020-01-21" },
    expect: { status: "conditional", policies: ["NCD 30.3.3"] },
    reasoning: "NCD_efctv_dt of 30.3.3 is 2020-01-21 and intervals are closed days."
  },
  {
    says: "the day before a determination begins nothing decides, and nothing is not a no",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["97810"], state: "TX", date_of_service: "2020-01-20" },
    expect: { status: "unknown", priorAuth: false, policies: [], trace: ["combine.no_policy"] },
    reasoning:
      "30.3.3 begins on 2020-01-21. The general refusal of acupuncture that stood before is not among the " +
      "rows (30.3 too begins on 2020-01-21), so the honest answer for 2020-01-20 is unknown."
  },
  {
    says: "a level 3 determination by a curated list is conditional, and its refusal stands in the trace",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["G0255"], state: "OH", date_of_service: "2026-01-15" },
    expect: {
      status: "conditional",
      policies: ["NCD 160.23"],
      gaps: [],
      risk: "medium",
      trace: ["ncd.level", "ncd.curated"]
    },
    reasoning:
      "160.23 v2 (2004-04-01, level 3) refuses all uses of sNCT, the test that G0255 names. MCD lists no " +
      "codes for it: the link is ours, so the answer is no more than conditional, and a reviewer reads " +
      "the refusal in the trace."
  },
  {
    says: "before the oldest kept version of a determination the code is unknown",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["G0255"], state: "OH", date_of_service: "2004-03-31" },
    expect: { status: "unknown", policies: [] },
    reasoning: "Only v2 of 160.23 is in the snapshot, from 2004-04-01; v1 is not kept and is not invented."
  },
  {
    says: "blood glucose: a laboratory determination of level 2 is conditional",
    ask: "validateClaim",
    body: {
      procedure_codes: ["82947"],
      diagnosis_codes: ["E11.9"],
      state: "FL",
      date_of_service: "2026-01-15"
    },
    expect: { status: "conditional", policies: ["NCD 190.20"], issues: [], gaps: [], risk: "medium" },
    reasoning:
      "190.20 v2 (2005-01-01, level 2) is one of the laboratory NCDs whose manual names 82947. Level 2 is " +
      "covered under conditions; E11.9 is billable in the January 2021 file, but the manual's list of " +
      "supporting diagnoses is not in the snapshot, so nothing more can be said."
  },
  {
    says: "glycated haemoglobin before the laboratory determinations began is unknown",
    ask: "validateClaim",
    body: { procedure_codes: ["83036"], state: "FL", date_of_service: "2002-11-24" },
    expect: { status: "unknown", policies: [], issues: [] },
    reasoning: "190.21 v1 begins on 2002-11-25; the claim is of the day before."
  },
  {
    says: "two laboratory tests: each by its own determination, the claim as bad as its worst line",
    ask: "validateClaim",
    body: { procedure_codes: ["84443", "83036"], state: "FL", date_of_service: "2002-11-25" },
    expect: { status: "conditional", policies: ["NCD 190.21", "NCD 190.22"], issues: [] },
    reasoning: "190.21 and 190.22 both begin on 2002-11-25 at level 2; each is led to by one of the codes."
  },
  {
    says: "a pneumatic compressor: the determination's own text names E0652",
    ask: "checkPriorAuth",
    body: {
      procedure_codes: ["E0652"],
      diagnosis_codes: ["I89.0"],
      state: "NC",
      date_of_service: "2026-01-15"
    },
    expect: { status: "conditional", priorAuth: false, policies: ["NCD 280.6"], gaps: [] },
    reasoning:
      "280.6 v1 (2002-01-14, level 2) says when a segmental device with calibrated gradient pressure is " +
      "covered. lcd_x_hcpc_code has no row for E0652, and the equipment list names it from 2026-04-13 on."
  },
  {
    says: "PET has no determination of its own any more: its code is unknown, not refused",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["78815"], state: "TX", date_of_service: "2026-01-15" },
    expect: { status: "unknown", priorAuth: false, policies: [] },
    reasoning:
      "220.6 is in ncd_trkg only as v7, titled RETIRED and without a last day: in force on no day. No LCD " +
      "lists 78815. Nobody decides; contractors do, by documents that are not here."
  },
  {
    says: "percussive ventilation at home: a related level 3 determination makes its LCD no refusal",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0481"], state: "OH", date_of_service: "2026-01-15" },
    expect: {
      status: "conditional",
      priorAuth: false,
      policies: ["L33786", "NCD 240.5"],
      gaps: [],
      trace: ["policy.listed", "ncd.level", "ncd.related"]
    },
    reasoning:
      "L33786 lists E0481 and relates to 240.5 (1997-07-14, level 3), whose text refuses the ventilator in " +
      "the home. An NCD that is only related never says more than conditional; the level is in the trace, and " +
      "a person reading it will refuse."
  },
  {
    says: "crutches are not refused because their LCD also cites the white cane",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0118"], state: "OH", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L33733", "NCD 280.2"], gaps: [] },
    reasoning:
      "L33733 (canes and crutches) lists E0118 and relates to 280.2, which refuses the white cane for the " +
      "blind (level 3). The relation is by document, not by code: were it to refuse, every crutch would be."
  },
  {
    says: "foot inserts are not covered outright because their LCD cites the prosthetic shoe",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["L3000"], state: "GA", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L33641", "NCD 280.10"], gaps: [] },
    reasoning:
      "L33641 lists L3000 and relates to 280.10 (level 1). The full coverage is that of a prosthetic shoe; " +
      "for an insert the LCD's text decides, so conditional."
  },
  {
    says: "surgical dressings relate to two determinations of different levels; both are shown",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["A6196"], state: "GA", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L33831", "NCD 270.4", "NCD 270.5"], gaps: [] },
    reasoning:
      "lcd_related_ncd_documents gives L33831 NCDs 270.4 (level 2) and 270.5 (level 1); A6196 is in its " +
      "list. Level 1 by relation is conditional, level 2 is conditional."
  },
  {
    says: "an air-fluidized bed: LCD and level 2 determination agree on conditional",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0194"], state: "GA", date_of_service: "2026-01-15" },
    expect: { status: "conditional", policies: ["L33692", "NCD 280.8"], gaps: [] },
    reasoning:
      "L33692 lists only E0194 and relates to 280.8 (2000-11-01, level 2) and to id 190, which is not in " +
      "this part of ncd_trkg and so cannot speak."
  },
  {
    says: "before a related determination began, the undated LCD stands alone",
    ask: "checkPriorAuth",
    body: { procedure_codes: ["E0194"], state: "GA", date_of_service: "2000-10-31" },
    expect: { status: "conditional", policies: ["L33692"], gaps: [] },
    reasoning:
      "280.8 begins on 2000-11-01. Without lcd.csv the LCD has none and counts from the first day; known " +
      "by its list only, it is never more than conditional."
  }
]
