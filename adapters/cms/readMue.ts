import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { EditTable, MueEdit } from "../../core/coverage/editTables.ts"
import { procedureSystem } from "../../core/coverage/codeText.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { isIsoDate } from "../../core/coverage/date.ts"
import { foldSpace } from "../../core/coverage/htmlText.ts"
import type { EditContents, EditSource } from "../../core/import/EditSource.ts"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import type { CodeFile } from "./codeFile.ts"
import { codeFile } from "./codeFile.ts"
import { cmsFileKinds } from "./fileKinds.ts"
import type { CsvRecord } from "./csvRecords.ts"
import { csvRecords } from "./csvRecords.ts"
import { serviceNamed } from "./serviceNamed.ts"

/**
 * A table of medically unlikely edits, between commas or tabs (coverage-domain §1.3): titles, the header,
 * then a code a row with its units, its adjudication indicator and the rationale. The largest has some 15,000
 * rows and is read whole. An unreadable row is skipped and reported; a table whose rows are mostly unreadable
 * is refused.
 */
export const readMue = (
  path: string,
  service: EditTable
): Effect.Effect<EditSource<CmsFileMalformed>, CmsFileMalformed> =>
  Effect.map(codeFile(path, "mue"), (file) => {
    const snapshotId = createHash("sha256").update(`mue ${service} ${file.sha256}\n`).digest("hex")
    const read = Effect.try({
      try: () => contentsOf({ file, service, snapshotId }),
      catch: (cause) => malformedFrom(cause, file.name)
    })
    return { snapshotId, kind: "mue", read }
  })

interface Source {
  readonly file: CodeFile
  readonly service: EditTable
  readonly snapshotId: string
}

const contentsOf = ({ file, service, snapshotId }: Source): EditContents<CmsFileMalformed> => {
  const rows = rowsOf(file)
  const start = rows.findIndex(isHeader)
  const header = rows[start]
  if (header === undefined) throw faultAt(file, null, noHeader)
  const named = serviceNamed(header.cells[1] ?? "")
  if (named !== undefined && named !== service)
    throw faultAt(file, header.line, "its header names other services")
  const effectiveDate = effectiveDateOf(file, rows.slice(0, start))
  if (effectiveDate === undefined) throw faultAt(file, null, noDay)
  const { skipped, units } = editsIn(file, rows.slice(start + 1), { service, effectiveDate })
  return {
    snapshot: { snapshotId, kind: "mue", sourceAsOf: effectiveDate },
    count: units.length,
    batches: Stream.succeed({ pairs: [], units }),
    skippedRows: skipped.length,
    gaps: skipped.length === 0 ? [] : [skippedSentence(skipped)]
  }
}

/** A row that could not be read, and why. */
interface SkippedRow {
  readonly line: number
  readonly reason: string
}

const editsIn = (
  file: CodeFile,
  rows: ReadonlyArray<CsvRecord>,
  table: Pick<MueEdit, "service" | "effectiveDate">
): { readonly units: ReadonlyArray<MueEdit>; readonly skipped: ReadonlyArray<SkippedRow> } => {
  const seen = new Set<string>()
  const skipped: Array<SkippedRow> = []
  const units = rows.flatMap(({ cells, line }) => {
    const edit = editIn(cells, table)
    if (typeof edit === "string") {
      skipped.push({ line, reason: edit })
      return []
    }
    if (seen.has(edit.code)) throw faultAt(file, line, "its code is in an earlier row of the table")
    seen.add(edit.code)
    return [edit]
  })
  const [first] = skipped
  if (first !== undefined && skipped.length >= units.length) {
    const share = `${skipped.length} of ${rows.length} rows are unreadable`
    throw faultAt(file, first.line, `${first.reason}, and ${share}: take the table as CMS publishes it`)
  }
  if (units.length === 0) throw faultAt(file, null, "no row of it is a code")
  return { units, skipped }
}

/** At most this many skipped rows are named by their line. */
const skippedNamedMax = 5

const skippedSentence = (skipped: ReadonlyArray<SkippedRow>): string => {
  const named = skipped.slice(0, skippedNamedMax).map(({ line, reason }) => `line ${line}: ${reason}`)
  const rest = skipped.length > skippedNamedMax ? "; and more" : ""
  return `Rows that could not be read and were skipped: ${skipped.length} (${named.join("; ")}${rest}).`
}

const noHeader =
  "no header of a table of units begins it (HCPCS/CPT Code, MUE Values and so on): " +
  `take ${cmsFileKinds.mue.take} of the same download`
const noDay = "neither its name nor its titles say from which day it counts, as in Eff_01-01-2026"

const faultAt = (file: CodeFile, line: number | null, reason: string): CmsFileMalformed =>
  new CmsFileMalformed({ file: file.name, line, reason })

/** The records of a file of titles, a header and rows, between commas or tabs; empty ones are left out. */
export const rowsOf = (file: CodeFile): ReadonlyArray<CsvRecord> => {
  const text = file.lines.join("\n")
  return csvRecords(text, { file: file.name, cell: foldSpace, delimiter: text.includes("\t") ? "\t" : "," })
}

const isHeader = ({ cells: [first = "", second = ""] }: CsvRecord): boolean =>
  /^(hcpcs|cpt).*code/i.test(first) && /mue value/i.test(second)

/** CMS says it in the name of the file: `…_Eff_01-01-2026`; a renamed one may say it in a title. */
const effectiveDateOf = (file: CodeFile, titles: ReadonlyArray<CsvRecord>): IsoDate | undefined => {
  const texts = [file.name, ...titles.flatMap((row) => row.cells)]
  for (const text of texts) {
    const [, month = "", date = "", year = ""] =
      /eff\D{0,12}(\d{1,2})[-/](\d{1,2})[-/](\d{4})/i.exec(text) ?? []
    const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`
    if (isIsoDate(day)) return day
  }
  return undefined
}

/** The edit of a row, or why it is none. */
const editIn = (
  cells: ReadonlyArray<string>,
  table: Pick<MueEdit, "service" | "effectiveDate">
): MueEdit | string => {
  const [code = "", units = "", indicator = "", rationale = ""] = cells
  if (cells.length < 3 || cells.slice(4).some((cell) => cell !== "")) {
    return `a row has 3 or 4 cells, this one ${cells.length}`
  }
  if (procedureSystem(code) === undefined) return "its first cell is no procedure code"
  if (!/^\d{1,7}$/.test(units)) return "its units are no whole number"
  const adjudication = adjudications.get(indicator.charAt(0))
  if (adjudication === undefined || /^\d{2}/.test(indicator))
    return "its adjudication indicator is none of 1, 2, 3"
  return { ...table, code, units: Number(units), adjudication, rationale: rationale || null }
}

/** CMS writes them out: `2 Date of Service Edit: Policy`. */
const adjudications: ReadonlyMap<string, MueEdit["adjudication"]> = new Map([
  ["1", 1],
  ["2", 2],
  ["3", 3]
])
