import * as Effect from "effect/Effect"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import type { CodeTableEdition } from "../../core/coverage/CodeTable.ts"
import type { IsoDate, IsoTime } from "../../core/coverage/date.ts"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import type { CodeGroupEntry, PolicyDocument, PolicyId } from "../../core/coverage/Policy.ts"
import type { MueEdit, PtpEdit } from "../../core/coverage/editTables.ts"
import type { NcdCode } from "../../core/coverage/NcdCode.ts"
import type { FeeScheduleRow } from "../../core/coverage/FeeScheduleRow.ts"
import type { Payer } from "../../core/coverage/Payer.ts"
import type { PriorAuthRule } from "../../core/coverage/PriorAuthRule.ts"
import type { CriteriaQuery, PolicyQuery } from "../../core/port/Policies.ts"
import { everyWord, parseSynonyms, searchWords } from "../../core/coverage/search.ts"
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

export const importedAt = time("2026-03-06T10:00:00.000Z")

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
  documentVersion: null,
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

/** A payer's rule of prior authorization, everywhere and since 2020 unless told otherwise. */
export const ruleOf = (given: Partial<PriorAuthRule>): PriorAuthRule => ({
  ruleId: "example-1",
  payerCode: "example",
  program: "payer",
  category: "Equipment",
  codes: ["E0601"],
  states: "all",
  sites: "all",
  effectiveDate: day("2020-01-01"),
  endDate: null,
  suspended: [],
  documentation: [],
  sourceUrl: null,
  ...given
})

export const payerOf = (given: Partial<Payer> & { readonly code: string }): Payer => ({
  name: `Payer ${given.code}`,
  type: "commercial",
  linesOfBusiness: ["commercial"],
  ...given
})

/** Tables that can judge every day. */
export const everyDay: ReadonlyArray<CodeTableEdition> = (["HCPCS", "ICD10CM"] as const).map(
  (codeSystem) => ({
    codeSystem,
    name: "every day",
    from: day("1900-01-01"),
    until: null
  })
)

/** A row of the fee schedule for the whole of an office visit, unless told otherwise. */
export const feeOf = (given: Partial<FeeScheduleRow>): FeeScheduleRow => ({
  code: "99213",
  modifier: "",
  statusCode: "A",
  workRvu: 1,
  nonFacilityPeRvu: 2,
  facilityPeRvu: null,
  mpRvu: 0.1,
  nonFacilityTotal: 3.1,
  facilityTotal: null,
  globalDays: "YYY",
  conversionFactor: 33,
  ...given
})

/** A pair edit in force since 2020 that no modifier clears, unless told otherwise. */
export const pairOf = (given: Partial<PtpEdit>): PtpEdit => ({
  column1: "E0601",
  column2: "E0470",
  service: "practitioner",
  effectiveDate: day("2020-01-01"),
  deletionDate: null,
  modifierIndicator: 0,
  rationale: null,
  ...given
})

/** One unit a day in the table of 2020, unless told otherwise. */
export const unitOf = (given: Partial<MueEdit>): MueEdit => ({
  code: "E0601",
  service: "practitioner",
  units: 1,
  adjudication: 2,
  rationale: null,
  effectiveDate: day("2020-01-01"),
  ...given
})

/** A row that leads from a code to NCD 1.1, unless told otherwise. */
export const ncdCodeOf = (given: Partial<NcdCode>): NcdCode => ({
  policyId: id("NCD 1.1"),
  code: "E0601",
  role: "names",
  source: "An instruction",
  sourceUrl: null,
  ...given
})

/** Passages about oxygen in force on the day, fifty a page, unless told otherwise. */
export const criteriaQueryOf = ({
  text = "oxygen",
  ...given
}: Partial<CriteriaQuery> & { readonly text?: string }): CriteriaQuery => ({
  words: everyWord(text, synonyms),
  section: null,
  policyType: null,
  place: null,
  asOf: day("2026-01-01"),
  after: null,
  limit: 50,
  ...given
})

/** Everything that is in force on the day, fifty a page, unless told otherwise. */
export const queryOf = (given: Partial<PolicyQuery>): PolicyQuery => ({
  text: null,
  words: searchWords(given.text ?? "", synonyms),
  policyType: null,
  place: null,
  payerCode: null,
  diagnosis: null,
  procedureCode: null,
  status: "active",
  asOf: day("2026-01-01"),
  include: new Set(),
  after: null,
  limit: 50,
  ...given
})

/** What the laws' queries may be called otherwise. */
export const synonyms = parseSynonyms(
  "term,meanings\nvac,negative pressure\nwound vac,negative pressure wound therapy|wound pump\nmedicare,\n"
)

/** Keeps the documents one after the other. */
export const save = (...documents: ReadonlyArray<PolicyDocument>) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    Effect.map(
      Effect.forEach(documents, (document) =>
        snapshots.saveHistory({ snapshot: snapshotOf({}), documents: [document], at: importedAt })
      ),
      (kept) => kept.flat()
    )
  )
