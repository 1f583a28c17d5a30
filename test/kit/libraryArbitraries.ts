import { diagnosisFilter } from "../../core/coverage/diagnosisFilter.ts"
import * as fc from "fast-check"
import type { MueEdit, PtpEdit } from "../../core/coverage/editTables.ts"
import { editTables } from "../../core/coverage/editTables.ts"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { dispositions, policyStatuses } from "../../core/coverage/Policy.ts"
import type { CriteriaQuery, PolicyQuery } from "../../core/port/Policies.ts"
import {
  criteriaQueryOf,
  day,
  diagnoses,
  documentOf,
  id,
  ncdCodeOf,
  pairOf,
  passage,
  procedure,
  queryOf,
  recordOf,
  ruleOf,
  unitOf
} from "./library.ts"

/**
 * Documents, codes, edits and queries drawn for the laws of the library's ports: of few names and days, so
 * that they meet. `freq` is one in so many that is null, so 1 would leave nothing else.
 */

/** Days on which something of the generated documents begins or ends, and their neighbours. */
export const edgeDays = [
  "1900-01-01",
  "2019-12-31",
  "2020-01-01",
  "2020-01-02",
  "2021-12-31",
  "2022-06-30",
  "2022-07-01",
  "2022-07-02",
  "2024-02-28",
  "2024-02-29",
  "2024-03-01",
  "2099-12-31"
].map(day)

// PostgreSQL stems words; these are their own stems, so that both stores mean the same by them.
const words = ["oxygen", "lumbar", "wound", "pump", "scan", "knee"]
const someWords = fc.subarray(words, { minLength: 1, maxLength: 3 }).map((chosen) => chosen.join(" "))
const someDay = fc.option(fc.constantFrom(...edgeDays.slice(2, 11)), { nil: null })
export const procedures = ["E0601", "E0470", "L8000"]
const icd10 = ["E1165", "M5450", "S72001A"]
const states = ["TX", "CA", "NY"]
const jurisdictions = ["JH", "J5", "DME JA"]
// About three versions each: with many more, nearly every day of a policy lies after some version's last.
const ids = [
  ...Array.from({ length: 12 }, (_, index) => `L${1001 + index}`),
  ...Array.from({ length: 8 }, (_, index) => `A${2001 + index}`),
  "NCD 220.6",
  "NCD 220.60",
  "NCD 20.8",
  "payer/7"
]

/** Documents of few policies, so that each gathers versions whose days overlap, touch and contradict. */
export const anyDocument: fc.Arbitrary<PolicyDocument> = fc
  .record({
    policyId: fc.constantFrom(...ids),
    title: someWords,
    status: fc.constantFrom("active" as const, "active" as const, ...policyStatuses),
    effectiveDate: someDay,
    retireDate: someDay,
    description: fc.option(someWords, { nil: null }),
    keywords: fc.subarray(words, { maxLength: 1 }),
    national: fc.boolean(),
    contractors: fc
      .subarray(jurisdictions, { maxLength: 2 })
      .map((codes) =>
        codes.map((jurisdictionCode) => ({ contractorNumber: "04412", name: "Example", jurisdictionCode }))
      ),
    states: fc.subarray(states, { maxLength: 2 }),
    codeGroups: fc
      .tuple(fc.subarray(procedures), fc.subarray(icd10), fc.option(fc.constantFrom(...dispositions)))
      .map(([codes, dx, disposition]) => [
        { ...procedure(...codes), ...(disposition === null ? {} : { disposition }) },
        diagnoses(...dx)
      ]),
    priorAuth: fc
      .subarray(procedures, { maxLength: 1 })
      .map((codes) => (codes.length === 0 ? [] : [ruleOf({ codes })])),
    criteria: fc
      .array(fc.tuple(someWords, fc.constantFrom("indications", "limitations")), { maxLength: 3 })
      .map((all) => all.map(([text, section], index) => ({ ...passage(`b${index}`, text), section }))),
    related: fc
      .subarray(ids.slice(0, 5), { maxLength: 2 })
      .map((all) => all.map((policyId) => ({ policyId: id(policyId), policyType: "LCD" as const }))),
    sourceShape: fc.constantFrom("criteria_backed", "metadata_only")
  })
  .map(documentOf)

/** Queries of which most find something in a library of such documents. */
export const anyQuery: fc.Arbitrary<PolicyQuery> = fc
  .record({
    text: fc.option(
      fc.oneof(someWords, fc.constantFrom(...ids, ...procedures, "the", "-oxygen", "knee -pump", " ")),
      {
        nil: null,
        freq: 2
      }
    ),
    policyType: fc.option(fc.constantFrom("LCD", "Article", "NCD"), { nil: null, freq: 2 }),
    place: fc.option(fc.record({ jurisdictions: fc.subarray(jurisdictions), states: fc.subarray(states) }), {
      nil: null,
      freq: 2
    }),
    payerCode: fc.option(fc.constantFrom("medicare", "acme"), { nil: null, freq: 3 }),
    diagnosis: fc.option(fc.constantFrom(...icd10, "Z999", "E11", "M17").map(diagnosisFilter), {
      nil: null,
      freq: 3
    }),
    procedureCode: fc.option(fc.constantFrom(...procedures, "E1165"), { nil: null, freq: 3 }),
    status: fc.constantFrom("active", "retired", "all"),
    asOf: fc.constantFrom(...edgeDays),
    include: fc.subarray(["summary", "criteria", "codes"] as const).map((all) => new Set(all)),
    limit: fc.integer({ min: 1, max: 9 })
  })
  .map(queryOf)

/** Queries for passages of which most find something in a library of such documents. */
export const anyCriteriaQuery: fc.Arbitrary<CriteriaQuery> = fc
  .record({
    text: fc.oneof(someWords, fc.constantFrom("the", "oxygen -pump", "Knee")),
    section: fc.option(fc.constantFrom("indications", "limitations", "other"), { nil: null, freq: 3 }),
    policyType: fc.option(fc.constantFrom("LCD", "Article"), { nil: null, freq: 3 }),
    place: fc.option(fc.record({ jurisdictions: fc.subarray(jurisdictions), states: fc.subarray(states) }), {
      nil: null,
      freq: 3
    }),
    asOf: fc.constantFrom(...edgeDays),
    limit: fc.integer({ min: 1, max: 9 })
  })
  .map(criteriaQueryOf)

/** Rows of NCD codes, several of one determination and code among them. */
export const anyNcdCodes = fc.array(
  fc
    .record({
      policyId: fc.constantFrom(...ids.filter((one) => one.startsWith("NCD")).map(id)),
      code: fc.constantFrom(...procedures, "G0283"),
      role: fc.constantFrom("names" as const, "denies" as const),
      source: fc.constantFrom("An instruction", "A manual's section"),
      sourceUrl: fc.option(fc.constant("https://www.cms.gov/example"), { nil: null })
    })
    .map(ncdCodeOf),
  { maxLength: 12 }
)

export const someIds = fc.subarray(ids.map(id), { maxLength: 3 })

/** Pair edits of few codes, so that a batch tells many of them anew. */
export const anyPair: fc.Arbitrary<PtpEdit> = fc
  .record({
    column1: fc.constantFrom(...procedures),
    column2: fc.constantFrom(...procedures, "G0283"),
    service: fc.constantFrom(...editTables),
    effectiveDate: fc.constantFrom(...edgeDays.slice(2, 6)),
    deletionDate: fc.option(fc.constantFrom(...edgeDays.slice(4, 8)), { nil: null }),
    modifierIndicator: fc.constantFrom(0, 1, 9),
    rationale: fc.option(fc.constant("Standards of practice"), { nil: null })
  })
  .map(pairOf)

/** As for pairs. */
export const anyUnit: fc.Arbitrary<MueEdit> = fc
  .record({
    code: fc.constantFrom(...procedures, "G0283"),
    service: fc.constantFrom(...editTables),
    units: fc.integer({ min: 0, max: 3 }),
    adjudication: fc.constantFrom(1, 2, 3),
    effectiveDate: fc.constantFrom(...edgeDays.slice(2, 8))
  })
  .map(unitOf)

/** Editions of few codes. */
export const anyRecord: fc.Arbitrary<CodeRecord> = fc
  .record({
    code: fc.constantFrom("E0601", "E0610", "E0470", "E047", "S72001A", "S7200"),
    codeSystem: fc.constantFrom("HCPCS", "ICD10CM"),
    description: fc.option(someWords, { nil: null }),
    effectiveDate: someDay,
    terminationDate: someDay
  })
  .map(recordOf)
