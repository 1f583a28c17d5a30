import type { CodeGroupKind, CodeSystemOfPolicy } from "../../core/coverage/Policy.ts"
import { canonicalCode, codeSystemsLike, procedureSystem } from "../../core/coverage/codeText.ts"
import { areDays, day, isNumber } from "./cell.ts"
import type { Gathered, LocalKind } from "./Gathered.ts"
import type { LocalRecord } from "./LocalRecord.ts"
import type { CodeRow } from "./LocalRecord.ts"
import { groupFor, mainRecordFor, recordFor } from "./LocalRecord.ts"
import type { Row, TableReader } from "./readTable.ts"

/** The columns of lcd.csv that become the document, after its id and version (coverage-domain §1.1). */
export const lcdColumns = [
  "title", "display_id", "status", "orig_det_eff_date", "rev_eff_date", "date_retired", "ent_det_end_date",
  "rev_end_date", "last_reviewed_on", "keywords", "indication", "diagnoses_support", "diagnoses_dont_support",
  "coding_guidelines", "doc_reqs", "util_guide", "appendices", "associated_info", "summary_of_evidence",
  "analysis_of_evidence", "cms_cov_policy", "last_updated"
] as const

/** The columns of article.csv that become the document, after its id and version. */
export const articleColumns = [
  "title", "display_id", "status", "article_eff_date", "date_retired", "article_end_date",
  "article_rev_end_date", "keywords", "description", "other_comments", "cms_cov_policy"
] as const

/** The tables of LCDs or of Articles by name; the main table comes first, because it settles the versions. */
export const localTables = (
  gathered: Gathered,
  kind: LocalKind
): ReadonlyArray<readonly [string, TableReader]> => [
  [kind, mainTable(gathered, kind)],
  ...codeTables[kind].map((table) =>
    [`${kind}_x_${table.name}`, codeTable(gathered, kind, table)] as const),
  ...groupTables[kind].map((table) =>
    [`${kind}_x_${table.name}_group`, groupTable(gathered, kind, table)] as const),
  [`${kind}_x_contractor`, contractorTable(gathered, kind)],
  [`${kind}_x_primary_jurisdiction`, stateTable(gathered, kind)],
  [`${kind}_related_documents`, relatedTable(gathered, kind)],
  [`${kind}_related_ncd_documents`, relatedNcdTable(gathered, kind)],
  [`${kind}_future_retire`, retireTable(gathered, kind)]
]

interface CodeTable {
  readonly name: string
  readonly kind: CodeGroupKind
  readonly code: string
  /** Null: the table knows no groups, and all its codes are group 1. */
  readonly group: string | null
  readonly asterisk?: string
}

const procedures: CodeTable = {
  name: "hcpc_code", kind: "procedure", code: "hcpc_code_id", group: "hcpc_code_group"
}

/**
 * One row per table that lists codes; descriptions of codes are not among the columns: CPT's belong to the
 * AMA.
 */
const codeTables: Readonly<Record<LocalKind, ReadonlyArray<CodeTable>>> = {
  lcd: [procedures],
  article: [
    procedures,
    {
      name: "icd10_covered",
      kind: "dx_covered",
      code: "icd10_code_id",
      group: "icd10_covered_group",
      asterisk: "asterisk"
    },
    {
      name: "icd10_noncovered",
      kind: "dx_noncovered",
      code: "icd10_code_id",
      group: "icd10_noncovered_group"
    },
    { name: "hcpc_modifier", kind: "modifier", code: "hcpc_modifier_code_id", group: "hcpc_modifier_group" },
    { name: "icd10_pcs_code", kind: "pcs", code: "icd10_pcs_code_id", group: "icd10_pcs_code_group" },
    { name: "bill_code", kind: "bill_type", code: "bill_code_id", group: null },
    { name: "revenue_code", kind: "revenue", code: "revenue_code_id", group: null }
  ]
}

interface GroupTable {
  readonly name: string
  readonly kind: CodeGroupKind
  readonly group: string
  readonly asteriskText?: string
}

const procedureGroups: GroupTable = { name: "hcpc_code", kind: "procedure", group: "hcpc_code_group" }

/** One row per table of paragraphs about groups of codes. */
const groupTables: Readonly<Record<LocalKind, ReadonlyArray<GroupTable>>> = {
  lcd: [procedureGroups],
  article: [
    procedureGroups,
    {
      name: "icd10_covered",
      kind: "dx_covered",
      group: "icd10_covered_group",
      asteriskText: "icd10_covered_ast"
    },
    { name: "icd10_noncovered", kind: "dx_noncovered", group: "icd10_noncovered_group" },
    { name: "hcpc_modifier", kind: "modifier", group: "hcpc_modifier_group" },
    { name: "icd10_pcs_code", kind: "pcs", group: "icd10_pcs_code_group" }
  ]
}

const mainTable = (gathered: Gathered, kind: LocalKind): TableReader => {
  const names: ReadonlyArray<string> = kind === "lcd" ? lcdColumns : articleColumns
  const dates = names.flatMap((name, index) => (/_date$|date_retired|_reviewed_on/.test(name) ? [index] : []))
  return {
    columns: [`${kind}_id`, `${kind}_version`, ...names],
    row: ({ cells, whole }) => {
      const [number = "", version = "", ...main] = cells
      if (!isNumber(number) || !isNumber(version)) return notNumbers(kind)
      if (!areDays(dates.map((index) => main[index] ?? ""))) return "a date is no date"
      const record = mainRecordFor(gathered.local[kind], { number: number.trim(), version: Number(version) })
      if (record === undefined) return undefined
      record.main = main
      record.hash.update(rowText(kind, whole))
      return undefined
    }
  }
}

const notNumbers = (kind: LocalKind): string => `${kind}_id and ${kind}_version must be numbers`

/** A table whose rows belong to one version of one document. */
const documentTable = (
  gathered: Gathered,
  table: {
    readonly kind: LocalKind
    readonly columns: ReadonlyArray<string>
    readonly keep: (record: LocalRecord, cells: ReadonlyArray<string>) => string | undefined
  }
): TableReader => ({
  columns: [`${table.kind}_id`, `${table.kind}_version`, ...table.columns],
  row: ({ cells, whole }: Row) => {
    const [number = "", version = ""] = cells
    if (!isNumber(number) || !isNumber(version)) return notNumbers(table.kind)
    const record = recordFor(gathered.local[table.kind], { number: number.trim(), version: Number(version) })
    record?.hash.update(rowText(table.columns.join(), whole))
    return record === undefined ? undefined : table.keep(record, cells)
  }
})

const codeTable = (gathered: Gathered, kind: LocalKind, table: CodeTable): TableReader => {
  const optional = [table.group, table.asterisk ?? null].filter((name) => name !== null)
  return documentTable(gathered, {
    kind,
    columns: [table.code, "last_updated", ...optional],
    keep: (record, [, , code = "", , group = "1", asterisk = ""]) => {
      if (!isNumber(group)) return `${table.group} must be a number`
      if (code.trim() === "") return `${table.code} is empty`
      const written = canonicalCode(code)
      const canonical = gathered.codes.get(written) ?? written
      gathered.codes.set(canonical, canonical)
      const codeSystem = systemOf(table.kind, canonical)
      if (codeSystem === undefined) {
        gathered.placeholders += 1
        return undefined
      }
      const { codes } = groupFor(record, { kind: table.kind, group: Number(group) })
      const marked = /^(Y|\*|1|T|true)$/i.test(asterisk.trim()) || codes.get(canonical)?.asterisk === true
      codes.set(canonical, marked ? { codeSystem, asterisk: true } : plain[codeSystem])
      return undefined
    }
  })
}

/** Nearly every entry carries no asterisk: they share one value per system. */
const plain: Readonly<Record<CodeSystemOfPolicy, CodeRow>> = {
  CPT: { codeSystem: "CPT", asterisk: false },
  HCPCS: { codeSystem: "HCPCS", asterisk: false },
  ICD10CM: { codeSystem: "ICD10CM", asterisk: false },
  ICD10PCS: { codeSystem: "ICD10PCS", asterisk: false },
  MODIFIER: { codeSystem: "MODIFIER", asterisk: false },
  BILL_TYPE: { codeSystem: "BILL_TYPE", asterisk: false },
  REVENUE: { codeSystem: "REVENUE", asterisk: false }
}

const systemOf = (kind: CodeGroupKind, code: string): CodeSystemOfPolicy | undefined => {
  switch (kind) {
    case "procedure":
      return procedureSystem(code)
    case "dx_covered":
    case "dx_noncovered":
      return codeSystemsLike(code).includes("ICD10CM") ? "ICD10CM" : undefined
    case "pcs":
      return codeSystemsLike(code).includes("ICD10PCS") ? "ICD10PCS" : undefined
    case "modifier":
      return "MODIFIER"
    case "bill_type":
      return "BILL_TYPE"
    case "revenue":
      return "REVENUE"
  }
}

const groupTable = (gathered: Gathered, kind: LocalKind, table: GroupTable): TableReader =>
  documentTable(gathered, {
    kind,
    columns: [table.group, "paragraph", ...(table.asteriskText === undefined ? [] : [table.asteriskText])],
    keep: (record, [, , group = "", paragraph = "", asteriskText = ""]) => {
      if (!isNumber(group)) return `${table.group} must be a number`
      const rows = groupFor(record, { kind: table.kind, group: Number(group) })
      rows.paragraph = paragraph
      rows.asteriskText = asteriskText
      return undefined
    }
  })

const contractorTable = (gathered: Gathered, kind: LocalKind): TableReader =>
  documentTable(gathered, {
    kind,
    columns: ["contractor_id", "contractor_type_id", "contractor_version"],
    keep: (record, [, , ...key]) => {
      if (!key.every(isNumber)) return "the contractor's id, type and version must be numbers"
      record.contractorKeys.add(key.map((part) => part.trim()).join(" "))
      return undefined
    }
  })

const stateTable = (gathered: Gathered, kind: LocalKind): TableReader =>
  documentTable(gathered, {
    kind,
    columns: ["state_id"],
    keep: (record, [, , stateId = ""]) => {
      if (!isNumber(stateId)) return "state_id must be a number"
      record.stateIds.add(stateId.trim())
      return undefined
    }
  })

const relatedTable = (gathered: Gathered, kind: LocalKind): TableReader =>
  documentTable(gathered, {
    kind,
    columns: ["r_article_id", "r_lcd_id"],
    keep: (record, [, , article = "", lcd = ""]) => {
      const isKnown = [article, lcd].every((cell) => cell.trim() === "" || isNumber(cell))
      if (!isKnown) return "a related id must be a number"
      if (names(article)) record.articleNumbers.add(article.trim())
      if (names(lcd)) record.lcdNumbers.add(lcd.trim())
      return undefined
    }
  })

const relatedNcdTable = (gathered: Gathered, kind: LocalKind): TableReader =>
  documentTable(gathered, {
    kind,
    columns: ["r_ncd_id"],
    keep: (record, [, , ncd = ""]) => {
      if (ncd.trim() !== "" && !isNumber(ncd)) return "r_ncd_id must be a number"
      if (names(ncd)) record.ncdNumbers.add(ncd.trim())
      return undefined
    }
  })

/** Zero stands for "none" in these tables. */
const names = (cell: string): boolean => Number(cell) > 0

const retireTable = (gathered: Gathered, kind: LocalKind): TableReader => ({
  columns: [`${kind}_id`, "retire_dt"],
  row: ({ cells: [number = "", retire = ""] }) => {
    if (!isNumber(number)) return `${kind}_id must be a number`
    if (!areDays([retire])) return "retire_dt is no date"
    const retires = day(retire)
    if (retires !== null) gathered.retires[kind].set(number.trim(), retires)
    return undefined
  }
})

/** One text per row for the hash of a document's source; no cell holds these separators. */
const rowText = (table: string, whole: ReadonlyArray<string>): string =>
  `${table}\u001f${whole.join("\u001f")}\u001e`
