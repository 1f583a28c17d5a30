import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import { yearEdition } from "../../core/coverage/CodeTable.ts"
import type { ConversionFactorKind } from "../../core/coverage/CodeTable.ts"
import { procedureSystem } from "../../core/coverage/codeText.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { FeeScheduleRow } from "../../core/coverage/FeeScheduleRow.ts"
import { foldSpace } from "../../core/coverage/htmlText.ts"
import type { CodeContents } from "../../core/import/CodeSource.ts"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import type { CodeFile, CodeReader, FileFacts } from "./codeFile.ts"
import { codeFile, codeSnapshotId } from "./codeFile.ts"
import { cmsFileKinds } from "./fileKinds.ts"
import type { CsvRecord } from "./csvRecords.ts"
import { rowsOf } from "./readMue.ts"

/**
 * The relative value file of the Medicare physician fee schedule, `PPRRVU….csv` (coverage-domain §1.3):
 * titles, a header that spans several rows, then a row for each code and modifier. The descriptions are the
 * AMA's; they are not read. Its CPT codes become known, without any words.
 */
export const readPfs: CodeReader = (path, edition) =>
  Effect.map(codeFile(path, "pfs"), (file) => {
    const snapshotId = codeSnapshotId("pfs", file, edition)
    return {
      snapshotId,
      kind: "pfs",
      read: Effect.try({
        try: () => pfsContents(file, { snapshotId, edition }),
        catch: (cause) => malformedFrom(cause, file.name)
      })
    }
  })

const pfsContents = (file: CodeFile, { edition, snapshotId }: FileFacts): CodeContents => {
  const rows = rowsOf(file)
  const start = rows.findIndex(({ cells: [first = ""] }) => /^(hcpcs|cpt)( code)?$/i.test(first))
  const header = rows[start]
  if (header === undefined) throw faultAt(file, null, noHeader)
  const titles = rows.slice(0, start)
  const sourceAsOf = releaseOf(file, titles) ?? edition?.from
  if (sourceAsOf === undefined) throw faultAt(file, null, noYear)
  const kind = kindOf([file.name, ...titles.flatMap((row) => row.cells)])
  const names = columnNames(header, titles)
  const at = columnsIn(names, (missing) => faultAt(file, header.line, `the column ${missing} is missing`))
  const seen = new Set<string>()
  const fees = rows.slice(start + 1).map((row) => {
    const fee = feeIn(row.cells, { at, width: names.length })
    if (typeof fee === "string") throw faultAt(file, row.line, fee)
    const key = `${fee.code} ${fee.modifier}`
    if (seen.has(key)) throw faultAt(file, row.line, "its code and modifier stand in the file before")
    seen.add(key)
    return fee
  })
  if (fees.length === 0) throw faultAt(file, null, "no row of it is a code")
  return {
    snapshot: { snapshotId, kind: "pfs", sourceAsOf },
    edition: {
      ...(edition ?? yearEdition("pfs", sourceAsOf)),
      ...(kind === undefined ? {} : { conversionFactorKind: kind })
    },
    codeSystem: null,
    codes: [...new Set(fees.map(({ code }) => code))].filter(isCpt).map(bareRecord),
    fees,
    gaps: kind === "QPP" ? [qppOnly] : []
  }
}

const qppOnly =
  "The file has the conversion factor of qualifying APM participants (QPP). Answers label it so, and use " +
  "the nonQPP file of the same release instead once that is imported, before or after this one."

/** `PPRRVU2026_Jan_nonQPP.csv` or a title that states it; undefined: neither does. */
const kindOf = (texts: ReadonlyArray<string>): ConversionFactorKind | undefined => {
  const text = texts.find((each) => /qpp/i.test(each))
  return text === undefined ? undefined : /non[-_ ]?qpp/i.test(text) ? "nonQPP" : "QPP"
}

const noHeader =
  "no header of a relative value file begins it (HCPCS, MOD, DESCRIPTION and so on): " +
  `take ${cmsFileKinds.pfs.take} of the same download`
const noYear =
  "neither its titles nor its name say its year, as in 2026 National Physician Fee Schedule; --edition does"

const faultAt = (file: CodeFile, line: number | null, reason: string): CmsFileMalformed =>
  new CmsFileMalformed({ file: file.name, line, reason })

/** The first day of the quarter in a title, such as `2026 National Physician Fee Schedule … July Release`. */
const releaseOf = (file: CodeFile, titles: ReadonlyArray<CsvRecord>): IsoDate | undefined => {
  const cells = titles.flatMap((row) => row.cells)
  const title = cells.find((cell) => /physician fee schedule/i.test(cell) && /\b20\d{2}\b/.test(cell))
  const year = /\b(20\d{2})\b/.exec(title ?? "")?.[1] ?? yearIn(file.name)
  if (year === undefined) return undefined
  const quarter = /(jan|apr|jul|oct)[a-z]*\b(?= release)/i.exec(cells.join(" ")) ?? inName.exec(file.name)
  return `${year}-${quarters[(quarter?.[1] ?? "jan").toLowerCase()] ?? "01"}-01` as IsoDate
}

/** `PPRRVU26_JAN.csv` and `PPRRVU2026_Jan_nonQPP.csv`. */
const yearIn = (name: string): string | undefined => {
  const digits = /rvu[-_ ]?(20\d{2}|\d{2})(?!\d)/i.exec(name)?.[1]
  return digits?.length === 2 ? `20${digits}` : digits
}

const inName = /[-_ ](jan|apr|jul|oct)/i

const quarters: Readonly<Record<string, string>> = { jan: "01", apr: "04", jul: "07", oct: "10" }

/** CMS writes `NON-FAC` over `PE RVU`: a column's name is what stands in it, down to the header's row. */
const columnNames = (header: CsvRecord, titles: ReadonlyArray<CsvRecord>): ReadonlyArray<string> =>
  header.cells.map((_, index) =>
    foldSpace([...titles.slice(-headerRows), header].map((row) => row.cells[index] ?? "").join(" "))
      .trim()
      .toUpperCase()
  )

/** Rows of names above the last row of the header. */
const headerRows = 4

const columns = {
  code: "HCPCS",
  modifier: "MOD",
  statusCode: "STATUS CODE",
  workRvu: "WORK RVU",
  nonFacilityPeRvu: "NON-FAC PE RVU",
  facilityPeRvu: "FACILITY PE RVU",
  mpRvu: "MP RVU",
  nonFacilityTotal: "NON-FACILITY TOTAL",
  facilityTotal: "FACILITY TOTAL",
  globalDays: "GLOB DAYS",
  conversionFactor: "CONV FACTOR"
} as const

type Columns = Readonly<Record<keyof typeof columns, number>>

/** A title may stand above a column, so a column is known by the end of its name. */
const columnsIn = (names: ReadonlyArray<string>, fault: (missing: string) => CmsFileMalformed): Columns => {
  const find = (wanted: string): number => {
    const index = names.findIndex((name) => name === wanted || name.endsWith(` ${wanted}`))
    if (index === -1 && wanted !== columns.code) throw fault(wanted)
    return Math.max(index, 0)
  }
  return Record.map(columns, find)
}

/** The values of a row, or why it is none. */
const feeIn = (
  cells: ReadonlyArray<string>,
  { at, width }: { readonly at: Columns; readonly width: number }
): FeeScheduleRow | string => {
  const cell = (name: keyof Columns): string => cells[at[name]] ?? ""
  if (cells.length < width || cells.slice(width).some((extra) => extra !== "")) {
    return `it has ${cells.length} cells, not ${width}`
  }
  if (procedureSystem(cell("code")) === undefined) return "its first cell is no procedure code"
  if (!/^([0-9A-Z]{2})?$/.test(cell("modifier"))) return "its modifier is none"
  if (!/^[A-Z]$/.test(cell("statusCode"))) return "its status is no letter"
  if (!/^([A-Z]{3}|\d{1,3})?$/.test(cell("globalDays"))) return "its global days are none"
  const wrong = valueNames.find((name) => !/^(NA|\d*\.?\d+)?$/.test(cell(name)))
  if (wrong !== undefined) return `its ${columns[wrong]} is no number`
  const value = (name: keyof Columns): number | null => (/\d/.test(cell(name)) ? Number(cell(name)) : null)
  return {
    code: cell("code"),
    modifier: cell("modifier"),
    statusCode: cell("statusCode"),
    workRvu: value("workRvu"),
    nonFacilityPeRvu: value("nonFacilityPeRvu"),
    facilityPeRvu: value("facilityPeRvu"),
    mpRvu: value("mpRvu"),
    nonFacilityTotal: value("nonFacilityTotal"),
    facilityTotal: value("facilityTotal"),
    // A spreadsheet takes the zeros off `010`.
    globalDays: cell("globalDays") === "" ? null : cell("globalDays").padStart(3, "0"),
    conversionFactor: value("conversionFactor")
  }
}

const valueNames = [
  "workRvu",
  "nonFacilityPeRvu",
  "facilityPeRvu",
  "mpRvu",
  "nonFacilityTotal",
  "facilityTotal",
  "conversionFactor"
] as const

const isCpt = (code: string): boolean => procedureSystem(code) === "CPT"

/** That the code exists, and nothing else: dates are not among the columns, words are not ours to keep. */
const bareRecord = (code: string): CodeRecord => ({
  codeSystem: "CPT",
  code,
  description: null,
  shortDescription: null,
  category: null,
  betosCode: null,
  poaExempt: null,
  billable: true,
  coverageCode: null,
  effectiveDate: null,
  terminationDate: null
})
