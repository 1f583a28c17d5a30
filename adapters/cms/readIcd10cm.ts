import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import { yearEdition } from "../../core/coverage/CodeTable.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { foldSpace } from "../../core/coverage/htmlText.ts"
import type { CodeContents } from "../../core/import/CodeSource.ts"
import type { CmsFileMalformed } from "./CmsFileMalformed.ts"
import type { CodeFile, CodeReader, FileFacts } from "./codeFile.ts"
import { codeFile, codeSnapshotId, faultAt } from "./codeFile.ts"

/**
 * The ICD-10-CM order file, plain or gzipped: headers and billable codes in tabular order (coverage-domain
 * §1.3).
 */
export const readIcd10cm: CodeReader = (path, edition) =>
  Effect.map(codeFile(path), (file) => {
    const snapshotId = codeSnapshotId("icd10cm", file, edition)
    return {
      snapshotId,
      kind: "icd10cm",
      read: Effect.suspend(() => Effect.fromResult(icd10cmContents(file, { snapshotId, edition })))
    }
  })

/**
 * The day from which the edition counts, as its name says it: `icd10cm-order-Jan-2021` from January 1st,
 * while `icd10cm_order_2026` is the fiscal year that began on October 1st before. The rows hold no date; a
 * file renamed beyond recognition counts from the day it was last written.
 */
export const editionOf = (file: Pick<CodeFile, "name" | "modifiedOn">): IsoDate => {
  const month = /(jan|apr|oct)[a-z]*[-_ ]?(\d{4})/i.exec(file.name)
  if (month !== null) return `${month[2]}-${months[(month[1] ?? "").toLowerCase()] ?? "01"}-01` as IsoDate
  const year = /(?:^|\D)(20\d{2})(?:\D|$)/.exec(file.name)?.[1]
  return year === undefined ? file.modifiedOn : (`${Number(year) - 1}-10-01` as IsoDate)
}

const isUnnamed = (file: CodeFile): boolean => !/20\d{2}/.test(file.name)

const guessed = (year: string): string =>
  `The file's name does not say its year. The day it was last written counts (${year}); --edition says another.`

/** CMS publishes an edition for each fiscal year and updates it in January and April. */
const months: Readonly<Record<string, string>> = { jan: "01", apr: "04", oct: "10" }

const icd10cmContents = (
  file: CodeFile,
  { edition, snapshotId }: FileFacts
): Result.Result<CodeContents, CmsFileMalformed> => {
  const codes: Array<CodeRecord> = []
  const seen = new Set<string>()
  let order = 0
  let category: string | null = null
  for (const [index, line] of file.lines.entries()) {
    const reason = faultOf(line, { order, seen })
    if (reason !== undefined) return Result.fail(faultAt(file, { index, reason }))
    order = Number(line.slice(0, 5))
    const code = line.slice(6, 13).trim()
    seen.add(code)
    const description = foldSpace(line.slice(77))
    if (code.length === 3) category = description
    codes.push(codeRecord(line, { code, description, category }))
  }
  if (codes.length === 0) return Result.fail(faultAt(file, { index: 0, reason: "no line of it is a code" }))
  const sourceAsOf = editionOf(file)
  const year = yearEdition("icd10cm", sourceAsOf)
  return Result.succeed({
    snapshot: { snapshotId, kind: "icd10cm", sourceAsOf },
    edition: edition ?? year,
    codeSystem: "ICD10CM",
    codes,
    gaps: edition === undefined && isUnnamed(file) ? [guessed(year.name)] : []
  })
}

/** The code stands in columns 7 to 13, its flag in 15, the short text in 17 to 76, the long one from 78. */
const faultOf = (
  line: string,
  before: { readonly order: number; readonly seen: ReadonlySet<string> }
): string | undefined => {
  if (line.length < 78) return `a line has at least 78 characters, this one ${line.length}`
  if (!/^\d{5} $/.test(line.slice(0, 6))) return "columns 1 to 5 are no order number"
  if (Number(line.slice(0, 5)) <= before.order) return "its order number is not above the one before"
  const code = line.slice(6, 13).trim()
  if (!/^[A-Z]\d[0-9A-Z][0-9A-Z]{0,4}$/.test(code)) return "columns 7 to 13 are no code"
  if (before.seen.has(code)) return "its code stands in the file before"
  return /^ [01] $/.test(line.slice(13, 16)) ? undefined : "column 15 is neither 0 nor 1"
}

/** The file gives no dates and nothing of present-on-admission: null says so. */
const codeRecord = (
  line: string,
  said: { readonly code: string; readonly description: string; readonly category: string | null }
): CodeRecord => ({
  codeSystem: "ICD10CM",
  code: said.code,
  description: said.description,
  shortDescription: foldSpace(line.slice(16, 76)),
  category: said.category,
  betosCode: null,
  poaExempt: null,
  billable: line[14] === "1",
  coverageCode: null,
  effectiveDate: null,
  terminationDate: null
})
