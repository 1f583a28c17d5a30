import { dateFault, day, isNumber } from "./cell.ts"
import { codeTables } from "./codeTables.ts"
import { documentTable, notNumbers, rowText } from "./documentTable.ts"
import type { LoadedTables, LocalKind } from "./LoadedTables.ts"
import { mainRecordFor } from "./LocalRecord.ts"
import type { TableReader } from "./readTable.ts"

/** The columns of lcd.csv that become the document, after its id and version (coverage-domain §1.1). */
export const lcdColumns = [
  "title",
  "display_id",
  "status",
  "orig_det_eff_date",
  "rev_eff_date",
  "date_retired",
  "ent_det_end_date",
  "rev_end_date",
  "last_reviewed_on",
  "keywords",
  "indication",
  "diagnoses_support",
  "diagnoses_dont_support",
  "coding_guidelines",
  "doc_reqs",
  "util_guide",
  "appendices",
  "associated_info",
  "summary_of_evidence",
  "analysis_of_evidence",
  "cms_cov_policy",
  "last_updated"
] as const

/** The columns of article.csv that become the document, after its id and version. */
export const articleColumns = [
  "title",
  "display_id",
  "status",
  "article_eff_date",
  "date_retired",
  "article_end_date",
  "article_rev_end_date",
  "keywords",
  "description",
  "other_comments",
  "cms_cov_policy"
] as const

/** `Additional ICD-10 information`, of both kinds; not every edition has the column. */
export const optionalColumns = ["add_icd10_info"] as const

/** The tables of LCDs or of Articles by name; the main table comes first, because it settles the versions. */
export const localTables = (
  gathered: LoadedTables,
  kind: LocalKind
): ReadonlyArray<readonly [string, TableReader]> => [
  [kind, mainTable(gathered, kind)],
  ...codeTables(gathered, kind),
  [`${kind}_x_contractor`, contractorTable(gathered, kind)],
  [`${kind}_x_primary_jurisdiction`, stateTable(gathered, kind)],
  [`${kind}_related_documents`, relatedTable(gathered, kind)],
  [`${kind}_related_ncd_documents`, relatedNcdTable(gathered, kind)],
  [`${kind}_future_retire`, retireTable(gathered, kind)]
]

const mainTable = (gathered: LoadedTables, kind: LocalKind): TableReader => {
  const names: ReadonlyArray<string> = kind === "lcd" ? lcdColumns : articleColumns
  const dates = names.filter((name) => /_date$|date_retired|_reviewed_on/.test(name))
  return {
    columns: [`${kind}_id`, `${kind}_version`, ...names],
    optional: optionalColumns,
    row: ({ cells, whole }) => {
      const [number = "", version = "", ...main] = cells
      if (!isNumber(number) || !isNumber(version)) return notNumbers(kind)
      const fault = dateFault(Object.fromEntries(dates.map((name) => [name, main[names.indexOf(name)]])))
      if (fault !== undefined) return fault
      if (!isStatus(main[names.indexOf("status")] ?? "")) return "status is neither A nor R nor P"
      const record = mainRecordFor(gathered.local[kind], { number: number.trim(), version: Number(version) })
      if (record === undefined) return undefined
      record.main = main
      record.hash.update(rowText(kind, whole))
      return undefined
    }
  }
}

/** Of some documents nothing is said, and their status is unknown. */
const isStatus = (cell: string): boolean => /^[ARP]?$/i.test(cell.trim())

const contractorTable = (gathered: LoadedTables, kind: LocalKind): TableReader =>
  documentTable(gathered, {
    kind,
    columns: ["contractor_id", "contractor_type_id", "contractor_version"],
    keep: (record, [, , ...key]) => {
      if (!key.every(isNumber)) return "the contractor's id, type and version must be numbers"
      record.contractorKeys.add(key.map((part) => part.trim()).join(" "))
      return undefined
    }
  })

const stateTable = (gathered: LoadedTables, kind: LocalKind): TableReader =>
  documentTable(gathered, {
    kind,
    columns: ["state_id"],
    keep: (record, [, , stateId = ""]) => {
      if (!isNumber(stateId)) return "state_id must be a number"
      record.stateIds.add(stateId.trim())
      return undefined
    }
  })

const relatedTable = (gathered: LoadedTables, kind: LocalKind): TableReader =>
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

const relatedNcdTable = (gathered: LoadedTables, kind: LocalKind): TableReader =>
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

const retireTable = (gathered: LoadedTables, kind: LocalKind): TableReader => ({
  columns: [`${kind}_id`, "retire_dt"],
  row: ({ cells: [number = "", retire = ""] }) => {
    if (!isNumber(number)) return `${kind}_id must be a number`
    const fault = dateFault({ retire_dt: retire })
    if (fault !== undefined) return fault
    const retires = day(retire)
    if (retires !== null) gathered.retires[kind].set(number.trim(), retires)
    return undefined
  }
})
