/** Codes, fee schedules, jurisdictions and payers. */
export const codeDescriptions = {
  code: "The code in its usual writing: upper case, and ICD-10-CM with its dot.",
  "codes.query.code":
    "The code to look up, 1 to 20 characters. Case, surrounding blanks and the ICD-10 dot do not " +
    "matter.",
  code_system: "The code system of the code: CPT, HCPCS, ICD10CM, ICD10PCS or NDC.",
  "query.code_system":
    "The code system to look in. Send it when one text is a code of several systems; without it the " +
    "likeliest system by the code's shape is used.",
  "batchCodes.body.code_system":
    "The code system to look in, for every code of the request. Without it the likeliest system by " +
    "each code's shape is used.",
  "codes.data.code_system":
    "The code system of the code: CPT, HCPCS, ICD10CM, ICD10PCS or NDC. UNKNOWN when the code was " +
    "not found.",
  "results.code_system":
    "The code system of the code: CPT, HCPCS, ICD10CM, ICD10PCS or NDC. UNKNOWN when the code was " +
    "not found.",
  "batchCodes.body.codes": "The codes to look up, 1 to 50. Repeated codes are looked up once.",
  "lookupCode.query.jurisdiction":
    "A MAC jurisdiction such as `JH`, or a state such as `TX`. Only policies that apply there are " +
    "listed.",
  "lookupCode.query.include":
    "A comma list of what to add: `rvu` (fee schedule values) and `policies` (policies that list the " +
    "code).",
  "batchCodes.body.include":
    "What to add to each code, as an array or a comma list: `rvu` (fee schedule values) and " +
    "`policies` (policies that list the code).",
  fuzzy:
    "`true` returns `found: false` with suggestions when no code matches. `false`, the default, " +
    "returns 404 RESOURCE_CODE_NOT_FOUND.",
  as_of: "The day to evaluate, YYYY-MM-DD. Today in UTC if absent.",
  results:
    "One entry for each distinct code of the request, under the code as it was sent without " +
    "surrounding blanks.",
  found:
    "Whether a code table or a policy in force knows the code. A false entry of a batch does not " +
    "fail the request.",
  description:
    "The description of the code in its code table. Null when the table has none; always null for " +
    "CPT, whose descriptions the AMA licenses.",
  "suggestions.description":
    "The description of the suggested code. Null when the code table has none, and for CPT.",
  short_description:
    "The short description of the code in its code table. Null when the table has none, and for CPT.",
  category: "The category of the code in its code table. Null when the table has none.",
  betos_code:
    "The BETOS code of a HCPCS code, which groups services for Medicare statistics. Null when the " +
    "table has none.",
  poa_exempt:
    "Whether the diagnosis is exempt from present-on-admission reporting. Null when no loaded table " +
    "records it.",
  is_active: "Whether the code may be used on the requested day. Null when no loaded table covers that day.",
  billable:
    "Whether an ICD-10-CM code may be submitted on a claim. False for a header, whose `children` are " +
    "listed; null for other code systems.",
  children: "The codes directly below an ICD-10-CM header, in force on the requested day, at most 50.",
  "codes.data.effective_date":
    "The first day on which the code is valid, YYYY-MM-DD. Null when the table gives none.",
  "results.effective_date":
    "The first day on which the code is valid, YYYY-MM-DD. Null when the table gives none.",
  termination_date:
    "The last day on which the code is valid, YYYY-MM-DD. Null when the code has no end date.",
  edition:
    "The edition of the code table that was used, such as `2026` or `FY2026`; for a code that was not " +
    "found, the edition at hand of its code system. Null when only a policy names the code.",
  "rvu.edition": "The edition of the fee schedule that the values come from.",
  rvu:
    "Medicare physician fee schedule values of the code. Present with `include=rvu`; null when no " +
    "loaded fee schedule has a value for the code.",
  work_rvu: "Relative value units for the physician's work. Null when the fee schedule gives none.",
  non_facility_pe_rvu:
    "Relative value units for practice expense outside a facility, such as an office. Null when the " +
    "fee schedule gives none.",
  facility_pe_rvu:
    "Relative value units for practice expense in a facility, such as a hospital. Null when the fee " +
    "schedule gives none.",
  mp_rvu: "Relative value units for malpractice insurance. Null when the fee schedule gives none.",
  non_facility_total: "Total relative value units outside a facility. Null when the fee schedule gives none.",
  facility_total: "Total relative value units in a facility. Null when the fee schedule gives none.",
  status_code: "The fee schedule's status indicator, such as `A` (active) or `D` (deleted).",
  global_days:
    "The fee schedule's global surgery period, such as `000`, `010` or `090`. Null when it " + "gives none.",
  conversion_factor: "Dollars for one relative value unit. Null when the fee schedule gives none.",
  "rvu.source":
    "The fee schedule that the values come from, with whose conversion factor it is (nonQPP or QPP) where " +
    "its file states it.",
  policies:
    "The policies that list the code, at most 50, each with its disposition for the code. Present " +
    "with `include=policies`.",
  "details.suggestions":
    "Codes similar to the one that was not found, best first, at most 5. An empty list means that no " +
    "code is close.",
  suggestions:
    "Codes similar to the one that was not found, best first, at most 5. Present when `found` is " +
    "false and the request had `fuzzy=true`.",
  score: "How close the suggestion is, 0 to 1; 1 is the closest.",
  match_type:
    "What the suggestion matched: `code` (a similar code) or `description` (words of the " + "description).",
  jurisdiction_code: "The code of the Medicare jurisdiction, such as `JH`, `J5` or `DME JA`.",
  "getJurisdiction.path.code":
    "The code of the Medicare jurisdiction, such as `JH`, `J5` or `DME JA`. GET /jurisdictions lists " +
    "the codes.",
  jurisdiction_name: "The name of the Medicare jurisdiction.",
  mac_name: "The name of the Medicare administrative contractor (MAC) that serves the jurisdiction.",
  mac_code: "The contractor number of the MAC. Several numbers are joined by `/`.",
  mac_type: "The kind of contractor: `A/B MAC`, `A/B/HHH MAC` or `DME MAC`.",
  states:
    "The states and territories of the jurisdiction, as two-letter abbreviations in alphabetical " + "order.",
  website_url: "The website of the contractor. Null when the source names none.",
  mac:
    "The Medicare administrative contractor (MAC) that decides for the place of the request. Null " +
    "when no single contractor does, or the request names no state.",
  "comparison.mac":
    "The Medicare administrative contractor (MAC) of the jurisdiction. Null for a state, which " +
    "several contractors serve.",
  "policies.data.mac": "The first contractor in `macs`. Null for a national or payer policy.",
  macs:
    "Every Medicare administrative contractor (MAC) that issued the policy. Empty for a national or " +
    "payer policy.",
  "mac.name": "The name of the contractor.",
  "mac.code": "The contractor number. Several numbers are joined by `/`.",
  "mac.jurisdiction": "The code of the jurisdiction that the contractor serves, such as `JH`.",
  "macs.name": "The name of the contractor.",
  "macs.code": "The contractor number. Several numbers are joined by `/`.",
  "macs.jurisdiction": "The code of the jurisdiction that the contractor serves, such as `JH`.",
  "payers.data.code": "The code of the payer. Send it wherever an operation takes a payer.",
  "getPayer.path.code": "The code of the payer, such as `medicare`. GET /payers lists the codes.",
  name: "The name of the payer.",
  type: "The kind of payer, such as `federal` or `commercial`.",
  lines_of_business: "The payer's lines of business, such as `traditional_medicare`."
} as const satisfies Readonly<Record<string, string>>
