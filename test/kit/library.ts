import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import type { IsoDate, IsoTime } from "../../core/coverage/date.ts"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import type { CodeGroupEntry, PolicyDocument, PolicyId } from "../../core/coverage/Policy.ts"
import { policyStatuses } from "../../core/coverage/Policy.ts"
import type { PolicyQuery } from "../../core/port/Policies.ts"
import type { Snapshot } from "../../core/port/Snapshots.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"

/** Authored documents, codes and queries for the laws of the library's ports. */

export const day = (text: string): IsoDate => text as IsoDate
export const time = (text: string): IsoTime => text as IsoTime
export const id = (text: string): PolicyId => text as PolicyId

/** A snapshot of its own name. */
export const snapshotOf = (given: Partial<Snapshot>): Snapshot => ({
  snapshotId: "a".repeat(64),
  kind: "mcd",
  sourceAsOf: day("2026-03-05"),
  ...given
})

export const imported = time("2026-03-06T10:00:00.000Z")

type Given = Omit<Partial<PolicyDocument>, "policy"> & { readonly policyId: string }

/** An LCD in force since 2020 unless told otherwise. */
export const documentOf = ({ policyId, ...given }: Given): PolicyDocument => ({
  policy: {
    policyId: id(policyId),
    policyType: policyId.startsWith("NCD") ? "NCD" : policyId.startsWith("A") ? "Article" : "LCD",
    payerCode: "medicare",
    lineOfBusiness: null
  },
  title: `Policy ${policyId}`,
  status: "active",
  effectiveDate: day("2020-01-01"),
  retireDate: null,
  lastReviewedDate: null,
  coverageLevel: null,
  description: null,
  keywords: [],
  sections: { indications: null, limitations: null, documentation: null },
  contractors: [],
  states: [],
  national: policyId.startsWith("NCD"),
  codeGroups: [],
  criteria: [],
  related: [],
  sourceUrl: null,
  sourceShape: "metadata_only",
  sourceShapeReason: "no codes and no criteria",
  sourceDocumentSha256: "0".repeat(64),
  ...given
})

export const procedure = (...codes: ReadonlyArray<string>): PolicyDocument["codeGroups"][number] => ({
  group: 1,
  kind: "procedure",
  paragraph: null,
  asteriskText: null,
  codes: codes.map((code) => entry(code, "HCPCS"))
})

export const diagnoses = (...codes: ReadonlyArray<string>): PolicyDocument["codeGroups"][number] => ({
  group: 1,
  kind: "dx_covered",
  paragraph: null,
  asteriskText: null,
  codes: codes.map((code) => entry(code, "ICD10CM"))
})

const entry = (code: string, codeSystem: CodeGroupEntry["codeSystem"]): CodeGroupEntry => ({
  code,
  codeSystem,
  asterisk: false,
  source: "document"
})

export const passage = (blockId: string, text: string): PolicyDocument["criteria"][number] => ({
  blockId,
  section: "indications",
  text,
  logicAst: null,
  tags: null,
  requiresManualReview: true,
  confidenceScore: null
})

export const recordOf = (given: Partial<CodeRecord> & { readonly code: string }): CodeRecord => ({
  codeSystem: "HCPCS",
  description: null,
  shortDescription: null,
  category: null,
  betosCode: null,
  poaExempt: null,
  billable: true,
  coverageCode: null,
  effectiveDate: null,
  terminationDate: null,
  ...given
})

export const jurisdictionOf = (
  given: Partial<Jurisdiction> & { readonly jurisdictionCode: string }
): Jurisdiction => ({
  jurisdictionName: `Jurisdiction ${given.jurisdictionCode}`,
  macName: "Example Administrators",
  macCode: "04412",
  macType: "A/B MAC",
  states: ["TX"],
  websiteUrl: null,
  ...given
})

/** Everything that is in force on the day, fifty a page, unless told otherwise. */
export const queryOf = (given: Partial<PolicyQuery>): PolicyQuery => ({
  text: null,
  policyType: null,
  place: null,
  payerCode: null,
  diagnosisCode: null,
  procedureCode: null,
  status: "active",
  asOf: day("2026-01-01"),
  include: new Set(),
  after: null,
  limit: 50,
  ...given
})

/** Keeps the documents one after the other. */
export const save = (...documents: ReadonlyArray<PolicyDocument>) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    Effect.forEach(documents, (document) =>
      snapshots.savePolicy({ snapshot: snapshotOf({}), document, at: imported })
    )
  )

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
const procedures = ["E0601", "E0470", "L8000"]
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
      .tuple(fc.subarray(procedures), fc.subarray(icd10))
      .map(([codes, dx]) => [procedure(...codes), diagnoses(...dx)]),
    criteria: fc
      .option(
        someWords.map((text) => passage("b1", text)),
        { nil: undefined }
      )
      .map((one) => (one ? [one] : [])),
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
    payerCode: fc.option(fc.constantFrom("medicare", "acme"), { nil: null, freq: 1 }),
    diagnosisCode: fc.option(fc.constantFrom(...icd10, "Z999"), { nil: null, freq: 1 }),
    procedureCode: fc.option(fc.constantFrom(...procedures, "E1165"), { nil: null, freq: 1 }),
    status: fc.constantFrom("active", "retired", "all"),
    asOf: fc.constantFrom(...edgeDays),
    include: fc.subarray(["summary", "criteria", "codes"] as const).map((all) => new Set(all)),
    limit: fc.integer({ min: 1, max: 9 })
  })
  .map(queryOf)

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
