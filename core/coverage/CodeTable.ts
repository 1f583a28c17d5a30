import type { CodeSystem } from "./Code.ts"
import { dayBefore } from "./date.ts"
import type { IsoDate } from "./date.ts"

/** The days for which one imported file of codes was made, as its operator or its year says them. */
export interface Edition {
  /** What people call it: `2016`, `FY2021`, `2016-01-01..2027-12-31`. */
  readonly name: string
  readonly from: IsoDate
  /** The last day; null: no end is known. */
  readonly until: IsoDate | null
  /** Whose conversion factor a physician fee schedule has; absent: its file does not state it. */
  readonly conversionFactorKind?: ConversionFactorKind
}

/**
 * From 2026 Medicare has two conversion factors: one for qualifying participants of alternative payment
 * models (QPP files) and one for all other clinicians (nonQPP files).
 */
export type ConversionFactorKind = "nonQPP" | "QPP"

/**
 * The days for which imported files of one code system can judge a code (coverage-domain §2.1, rule 1). A
 * date outside every edition is a gap, never an issue.
 */
export interface CodeTableEdition extends Edition {
  readonly codeSystem: CodeSystem
}

/** The imported files that are tables of codes; the physician fee schedule is all there is of CPT. */
export const codeTableSystems = { hcpcs: "HCPCS", icd10cm: "ICD10CM", pfs: "CPT" } as const
export type CodeTableKind = keyof typeof codeTableSystems

export const isCodeTable = (kind: string): kind is CodeTableKind => Object.hasOwn(codeTableSystems, kind)

/** A file of codes that was imported whole. */
export interface CodeTableFile {
  readonly snapshotId: string
  readonly kind: CodeTableKind
  /** The day of its release. */
  readonly sourceAsOf: IsoDate
  /** Null: nothing was said at its import, and the year of its release counts. */
  readonly edition: Edition | null
}

/** A table's edition and the file that it is of. */
export interface CodeTable extends CodeTableEdition {
  readonly snapshotId: string
}

/** The year of a file that was released on the day: of the calendar, or for ICD-10-CM from October. */
export const yearEdition = (kind: CodeTableKind, released: IsoDate): Edition => {
  const year = Number(released.slice(0, 4))
  if (kind !== "icd10cm") return span(String(year), `${year}-01-01`, `${year}-12-31`)
  const fiscal = released.slice(5) < "10-01" ? year : year + 1
  return span(`FY${fiscal}`, `${fiscal - 1}-10-01`, `${fiscal}-09-30`)
}

/**
 * The tables that the files make, oldest first. Each has its edition's days; of several files of one edition
 * each counts from its release to the day before the next one's, and the first from the edition's beginning.
 * Files of one release replace each other: the last given counts, except that a QPP fee schedule never
 * replaces another one.
 */
export const codeTablesOf = (files: ReadonlyArray<CodeTableFile>): ReadonlyArray<CodeTable> => {
  const dated = files.map((file) => ({
    released: file.sourceAsOf,
    table: {
      snapshotId: file.snapshotId,
      codeSystem: codeTableSystems[file.kind],
      ...(file.edition ?? yearEdition(file.kind, file.sourceAsOf))
    }
  }))
  const ofOneEdition = Map.groupBy(
    dated,
    ({ table }) => `${table.codeSystem} ${table.from} ${table.until ?? ""}`
  )
  return [...ofOneEdition.values()].flatMap(succession).toSorted(byFirstDay)
}

/** Which table answers for a day, and whether the day is one of its own. */
export const tableOn = <Table extends CodeTableEdition>(
  tables: ReadonlyArray<Table>,
  { codeSystem, day }: { readonly codeSystem: CodeSystem; readonly day: IsoDate }
): { readonly table: Table; readonly judges: boolean } | undefined => {
  const begun = tables.filter((table) => table.codeSystem === codeSystem && table.from <= day)
  const own = begun.findLast(({ until }) => until === null || day <= until)
  const table = own ?? begun.at(-1) ?? tables.find((one) => one.codeSystem === codeSystem)
  return table && { table, judges: own !== undefined }
}

/** Whether a table can hold the code: it leaves out what ended before it or began after it. */
export const mayHold = (
  table: Edition,
  code: { readonly effectiveDate: IsoDate | null; readonly terminationDate: IsoDate | null }
): boolean =>
  (code.terminationDate === null || code.terminationDate >= table.from) &&
  (code.effectiveDate === null || table.until === null || code.effectiveDate <= table.until)

/** What a fee schedule's rows carry of the table that they are in. */
export const feeTableFacts = ({
  table,
  judges
}: {
  readonly table: CodeTable
  readonly judges: boolean
}) => ({
  edition: table.name,
  judges,
  ...(table.conversionFactorKind === undefined ? {} : { conversionFactorKind: table.conversionFactorKind })
})

/** The fee schedule that values codes on a day: its own, else the newest one that began before. */
export const feeScheduleOn = (tables: ReadonlyArray<CodeTable>, day: IsoDate) => {
  const found = tableOn(tables, { codeSystem: "CPT", day })
  return found === undefined || found.table.from > day ? undefined : found
}

interface Dated {
  readonly released: IsoDate
  readonly table: CodeTable
}

/** The tables of one edition's files, one after the other; one that another replaces has no day left. */
const succession = (files: ReadonlyArray<Dated>): ReadonlyArray<CodeTable> => {
  const byRelease = files.toSorted((a, b) => {
    if (a.released !== b.released) return a.released < b.released ? -1 : 1
    return Number(isQpp(b)) - Number(isQpp(a))
  })
  return byRelease.flatMap(({ released, table }, index) => {
    const next = byRelease[index + 1]
    const from = index > 0 && released > table.from ? released : table.from
    const until = next === undefined ? table.until : earlier(dayBefore(next.released), table.until)
    return until !== null && until < from ? [] : [{ ...table, from, until }]
  })
}

const isQpp = ({ table }: Dated): boolean => table.conversionFactorKind === "QPP"

const earlier = (day: IsoDate | undefined, other: IsoDate | null): IsoDate | null =>
  day !== undefined && (other === null || day < other) ? day : other

const byFirstDay = (a: CodeTable, b: CodeTable): number => {
  const [left, right] = [`${a.codeSystem} ${a.from}`, `${b.codeSystem} ${b.from}`]
  return left < right ? -1 : left > right ? 1 : 0
}

const span = (name: string, from: string, until: string): Edition => ({
  name,
  from: from as IsoDate,
  until: until as IsoDate
})
