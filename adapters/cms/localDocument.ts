import type { IsoDate } from "../../core/coverage/date.ts"
import { passagesOf, sectionsOf } from "../../core/coverage/passages.ts"
import type { Narrative } from "../../core/coverage/passages.ts"
import type {
  CodeGroup,
  CriteriaSection,
  PolicyContractor,
  PolicyDocument,
  PolicyId,
  PolicyStatus,
  RelatedPolicy,
  SourceShape
} from "../../core/coverage/Policy.ts"
import { articleId, lcdId } from "../../core/coverage/policyId.ts"
import { day, keywords, line, text } from "./cell.ts"
import { policyContractor, statesNamed, territoryOf } from "./contractors.ts"
import type { Contractors } from "./contractors.ts"
import type { LocalKind } from "./LoadedTables.ts"
import type { GroupRows, LocalRecord } from "./LocalRecord.ts"
import { articleColumns, lcdColumns, optionalColumns } from "./localTables.ts"

/** What a local document takes from the rest of the snapshot. */
export interface Surroundings {
  readonly contractors: Contractors
  readonly asOf: IsoDate
  /** Whether lcd.csv or article.csv is part of the snapshot at all. */
  readonly hasMainTable: boolean
  readonly retires: IsoDate | undefined
  readonly related: ReadonlyArray<RelatedPolicy>
}

/**
 * The id of the document: a row with a display id is a proposal, shown under that id with a `D` before it.
 */
export const localPolicyId = (kind: LocalKind, record: LocalRecord): PolicyId => {
  const displayed = /\d+/.exec(isProposed(kind, record) ? cellsOf(kind, record)("display_id") : "")?.[0]
  const id = { number: displayed ?? record.number, proposed: isProposed(kind, record) }
  return kind === "lcd" ? lcdId(id) : articleId(id)
}

/** An LCD or an Article as one document (coverage-domain §2). */
export const localDocument = (kind: LocalKind, record: LocalRecord, around: Surroundings): PolicyDocument => {
  const cell = cellsOf(kind, record)
  const criteria = passagesOf(narratives[kind].flatMap(([name, section]) => narrativeOf(section, cell(name))))
  const codeGroups = codeGroupsOf(record)
  const substance = { hasText: criteria.length > 0, hasCodes: codeGroups.some(hasCodes) }
  const shape = shapeOf({ kind, record, around, ...substance })
  const policyId = localPolicyId(kind, record)
  return {
    policy: {
      policyId,
      policyType: kind === "lcd" ? "LCD" : "Article",
      payerCode: "medicare",
      lineOfBusiness: null
    },
    title: line(cell("title")) || `${kind === "lcd" ? "LCD" : "Article"} ${policyId}`,
    documentVersion: String(record.version),
    status: statusOf(kind, record),
    effectiveDate: effectiveDateOf(cell),
    retireDate: retireDateOf(cell) ?? around.retires ?? null,
    lastReviewedDate: day(cell("last_reviewed_on")),
    coverageLevel: null,
    description: null,
    keywords: keywords(cell("keywords")),
    sections: sectionsOf(criteria),
    contractors: contractorsOf(record, around.contractors),
    states: statesOf(record, around),
    national: false,
    codeGroups,
    criteria,
    related: around.related,
    sourceUrl: `${pages[kind]}${record.number}&ver=${record.version}`,
    ...shape,
    sourceDocumentSha256: record.hash.copy().digest("hex")
  }
}

const pages: Readonly<Record<LocalKind, string>> = {
  lcd: "https://www.cms.gov/medicare-coverage-database/view/lcd.aspx?lcdid=",
  article: "https://www.cms.gov/medicare-coverage-database/view/article.aspx?articleid="
}

/** The texts of a document in the order in which it is read, each with the section it speaks of. */
const narratives: Readonly<Record<LocalKind, ReadonlyArray<readonly [string, CriteriaSection]>>> = {
  lcd: [
    ["indication", "indications"],
    ["diagnoses_support", "indications"],
    ["diagnoses_dont_support", "limitations"],
    ["doc_reqs", "documentation"],
    ["util_guide", "frequency"],
    ["add_icd10_info", "other"],
    ["coding_guidelines", "other"],
    ["associated_info", "other"],
    ["appendices", "other"],
    ["summary_of_evidence", "other"],
    ["analysis_of_evidence", "other"],
    ["cms_cov_policy", "other"]
  ],
  article: [
    ["description", "other"],
    ["other_comments", "other"],
    ["add_icd10_info", "other"],
    ["cms_cov_policy", "other"]
  ]
}

type Cells = (name: string) => string

const columns: Readonly<Record<LocalKind, ReadonlyArray<string>>> = {
  lcd: [...lcdColumns, ...optionalColumns],
  article: [...articleColumns, ...optionalColumns]
}

const cellsOf =
  (kind: LocalKind, record: LocalRecord): Cells =>
  (name) =>
    record.main?.[columns[kind].indexOf(name)] ?? ""

const narrativeOf = (section: CriteriaSection, cell: string): ReadonlyArray<Narrative> => {
  const plain = text(cell)
  return plain === null ? [] : [{ section, text: plain }]
}

/**
 * Final documents are A or R, proposals P or R; only a proposal has a display id of another shape than its
 * own.
 */
const isProposed = (kind: LocalKind, record: LocalRecord): boolean => {
  const cell = cellsOf(kind, record)
  const displayed = cell("display_id").trim()
  return cell("status").trim().toUpperCase() === "P" || (displayed !== "" && !/^[LA]\d/i.test(displayed))
}

/** Without a row of its main table, or with an empty flag, nobody says where the document stands. */
const statusOf = (kind: LocalKind, record: LocalRecord): PolicyStatus => {
  if (isProposed(kind, record)) return "proposed"
  const flag = cellsOf(kind, record)("status").trim().toUpperCase()
  return flag === "A" ? "active" : flag === "R" ? "retired" : "unknown"
}

const effectiveDateOf = (cell: Cells): IsoDate | null =>
  day(cell("rev_eff_date")) ?? day(cell("orig_det_eff_date")) ?? day(cell("article_eff_date"))

/** The day of retirement, else the day on which the whole determination or its last revision ends. */
const retireDateOf = (cell: Cells): IsoDate | null =>
  day(cell("date_retired")) ??
  day(cell("ent_det_end_date")) ??
  day(cell("rev_end_date")) ??
  day(cell("article_end_date")) ??
  day(cell("article_rev_end_date"))

const contractorsOf = (record: LocalRecord, contractors: Contractors): ReadonlyArray<PolicyContractor> => {
  const named = [...record.contractorKeys].flatMap((key) => contractors.byKey.get(key) ?? [])
  const byNumber = new Map(named.map((one) => [one.number, policyContractor(contractors, one)]))
  return [...byNumber.values()].toSorted((a, b) => (a.contractorNumber < b.contractorNumber ? -1 : 1))
}

/** One contractor row: the document names its states itself; several: it applies where they serve (§1.1). */
const statesOf = (record: LocalRecord, around: Surroundings): ReadonlyArray<string> => {
  const { contractors, asOf } = around
  const namesStates = record.contractorKeys.size <= 1 && record.stateIds.size > 0
  if (namesStates) return statesNamed(contractors, record.stateIds)
  const serving = [...record.contractorKeys].flatMap((key) => contractors.byKey.get(key) ?? [])
  return territoryOf(contractors, serving, asOf)
}

const codeGroupsOf = (record: LocalRecord): ReadonlyArray<CodeGroup> =>
  [...record.groups.values()]
    .map(codeGroupOf)
    .filter((group) => group.codes.length > 0 || group.paragraph !== null)
    .toSorted((a, b) => (a.kind === b.kind ? a.group - b.group : a.kind < b.kind ? -1 : 1))

const codeGroupOf = (rows: GroupRows): CodeGroup => ({
  group: rows.group,
  kind: rows.kind,
  paragraph: text(rows.paragraph),
  asteriskText: text(rows.asteriskText),
  codes: [...rows.codes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { codeSystem, asterisk }]) => ({
      code,
      codeSystem,
      asterisk,
      source: "document"
    }))
})

const hasCodes = (group: CodeGroup): boolean => group.codes.length > 0

const shapeOf = (known: {
  readonly kind: LocalKind
  readonly record: LocalRecord
  readonly around: Surroundings
  readonly hasText: boolean
  readonly hasCodes: boolean
}): { readonly sourceShape: SourceShape; readonly sourceShapeReason: string } => {
  const { kind, record, around } = known
  const issuers = record.contractorKeys.size === 0 ? " The snapshot names no contractor for it." : ""
  const sourceShape = known.hasText ? "criteria_backed" : known.hasCodes ? "code_list_only" : "metadata_only"
  const table = `${kind}.csv`
  const missing = around.hasMainTable
    ? `The snapshot's ${table} has no row for this document`
    : `The snapshot holds no ${table}`
  const reason =
    record.main === undefined
      ? `${missing}: its title, dates, status and text are not known.`
      : shapeReasons[sourceShape]
  return { sourceShape, sourceShapeReason: `${reason}${issuers}` }
}

const shapeReasons: Readonly<Record<SourceShape, string>> = {
  criteria_backed: "The source holds the text of the document.",
  code_list_only: "The source holds the document's code lists, but no text.",
  metadata_only: "The source holds neither text nor code lists of the document."
}
