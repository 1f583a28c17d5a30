import type { CodeRecord } from "../../../core/coverage/Code.ts"
import { emptyFacts } from "../../../core/coverage/CoverageDecision.ts"
import type { CoverageFacts, CoverageQuery } from "../../../core/coverage/CoverageDecision.ts"
import type { NcdCode } from "../../../core/coverage/NcdCode.ts"
import type { Place } from "../../../core/coverage/place.ts"
import type { CodeGroup, CriteriaBlock, PolicyVersion } from "../../../core/coverage/Policy.ts"
import { coverageQueryOf, inState, versionOf } from "../coverageQueryOf.ts"
import { day, recordOf } from "../library.ts"
import { paragraphOf } from "./paragraph.ts"
import type {
  BlockTruth,
  Days,
  DocumentTruth,
  GroupTruth,
  NationalTruth,
  Question,
  Truth,
  UnitTruth
} from "./Truth.ts"

/** The documents, tables and rows that say what is so; the records are of the question's codes. */
export const writeFacts = (truth: Truth, question: Question): CoverageFacts => ({
  ...emptyFacts,
  policies: [
    ...truth.units.flatMap((unit) => unit.documents.map((one) => writeDocument(one, unit))),
    ...truth.nationals.map(writeNational)
  ],
  codes: [
    ...question.codes.flatMap((code) => writeRecord(truth, code)),
    ...question.diagnoses.map((code) => recordOf({ code, codeSystem: "ICD10CM" }))
  ],
  codeTables: [
    ...writeEdition("HCPCS", truth.hcpcsEdition),
    ...writeEdition("ICD10CM", truth.diagnosisEdition)
  ],
  ncdCodes: truth.nationals.flatMap((national) => writeRows(national, question))
})

export const writeQuery = (question: Question): CoverageQuery =>
  coverageQueryOf({
    procedureCodes: question.codes,
    diagnosisCodes: question.diagnoses,
    dateOfService: question.date,
    place: placeOf(question.place),
    siteOfService: question.site,
    sex: question.sex,
    modifiers: question.modifiers,
    providerSpecialty: question.specialty
  })

/** As the query's place is made; here alone, for the day on which a place says more. */
const placeIn = (state: string): Place => inState(state)

const placeOf = (place: Question["place"]): Place | null => {
  if (place === null) return null
  return "state" in place ? placeIn(place.state) : { jurisdictions: [place.jurisdiction], states: [] }
}

const writeDocument = (document: DocumentTruth, unit: UnitTruth): PolicyVersion => ({
  ...versionOf({
    policyId: document.status === "proposed" ? `D${document.policyId}` : document.policyId,
    title: `Examples of ${document.policyId}`,
    documentVersion: document.documentVersion,
    status: document.status,
    effectiveDate: document.from,
    retireDate: document.until,
    contractors: document.contractors.map(({ number, jurisdiction }) => ({
      contractorNumber: number,
      name: `Example Administrators ${number}`,
      jurisdictionCode: jurisdiction
    })),
    states: [...new Set(document.contractors.flatMap(({ states }) => states))].toSorted(),
    codeGroups: [
      ...document.groups.map(writeGroup),
      ...writeProcedures(document.procedures, procedureParagraph(unit))
    ].toSorted(inOrder),
    criteria: document.blocks.map(writeBlock),
    related: document.related.map((policyId) => ({
      policyId,
      policyType: policyId.startsWith("NCD") ? "NCD" : policyId.startsWith("L") ? "LCD" : "Article"
    })),
    sourceUrl: `https://example.gov/${document.policyId}?ver=${document.documentVersion ?? ""}`,
    sourceShape: document.blocks.length > 0 ? "criteria_backed" : "code_list_only"
  }),
  version: document.version
})

const writeNational = (national: NationalTruth): PolicyVersion =>
  versionOf({
    policyId: national.policyId,
    documentVersion: "2",
    effectiveDate: national.from,
    retireDate: national.until,
    coverageLevel: national.level,
    codeGroups: writeProcedures(national.lists, null),
    criteria: national.blocks.map(writeBlock),
    sourceShape: national.blocks.length > 0 ? "criteria_backed" : "metadata_only"
  })

const inOrder = (a: CodeGroup, b: CodeGroup): number =>
  a.kind === b.kind ? a.group - b.group : a.kind < b.kind ? -1 : 1

/** A pointer to the text of the LCD, where the unit has one. */
const procedureParagraph = ({ documents }: UnitTruth): string | null => {
  const lcds = documents.filter(({ isLcd }) => isLcd)
  return lcds.length > 0 && lcds.every(({ blocks }) => blocks.length > 0)
    ? "The appearance of a code in this section does not necessarily indicate coverage."
    : null
}

const writeProcedures = (codes: ReadonlyArray<string>, paragraph: string | null): ReadonlyArray<CodeGroup> =>
  codes.length === 0
    ? []
    : [
        {
          group: 1,
          kind: "procedure",
          paragraph,
          asteriskText: null,
          codes: codes.toSorted().map((code) => ({
            code,
            codeSystem: /^\d/.test(code) ? "CPT" : "HCPCS",
            asterisk: false,
            source: "document"
          }))
        }
      ]

const writeGroup = (group: GroupTruth): CodeGroup => ({
  group: group.group,
  kind: group.table === "covered" ? "dx_covered" : "dx_noncovered",
  paragraph: paragraphOf(group),
  asteriskText: group.asterisk,
  codes: group.diagnoses.toSorted().map((code) => ({
    code,
    codeSystem: "ICD10CM",
    asterisk: group.marked.includes(code),
    source: "document"
  })),
  ...(group.stated ? { scope: group.names ?? "all", role: group.role } : {})
})

const writeBlock = ({ section, text, logic }: BlockTruth, index: number): CriteriaBlock => ({
  blockId: `${section}.${index + 1}`,
  section,
  text,
  logicAst: logic,
  tags: null,
  requiresManualReview: logic === null,
  confidenceScore: null
})

const writeRecord = ({ columns }: Truth, code: string): ReadonlyArray<CodeRecord> =>
  /^\d/.test(code)
    ? []
    : [recordOf({ code, coverageCode: columns.find((column) => column.code === code)?.letter ?? "C" })]

const writeEdition = (codeSystem: "HCPCS" | "ICD10CM", edition: Days | null): CoverageFacts["codeTables"] =>
  edition === null
    ? []
    : [{ codeSystem, name: "Example", from: edition.from ?? day("0000-01-01"), until: edition.until }]

/** The store gives the rows of the question's codes alone. */
const writeRows = (national: NationalTruth, { codes }: Question): ReadonlyArray<NcdCode> => {
  const row =
    (role: NcdCode["role"]) =>
    (code: string): NcdCode => ({
      policyId: national.policyId,
      code,
      role,
      source: `Transmittal about ${national.policyId}`,
      sourceUrl: "https://example.gov/transmittal"
    })
  const asks = (code: string): boolean => codes.includes(code)
  return [
    ...national.names.filter(asks).map(row("names")),
    ...national.denies.filter(asks).map(row("denies"))
  ]
}
