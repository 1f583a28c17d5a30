import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import { yearEdition } from "../../core/coverage/CodeTable.ts"
import type { Edition } from "../../core/coverage/CodeTable.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { foldSpace } from "../../core/coverage/htmlText.ts"
import type { CodeContents } from "../../core/import/CodeSource.ts"
import { CmsFileMalformed } from "./CmsFileMalformed.ts"
import type { CodeFile, CodeReader, FileFacts } from "./codeFile.ts"
import { codeFile, codeSnapshotId, faultAt } from "./codeFile.ts"
import { cmsFileKinds } from "./fileKinds.ts"
import { releaseName } from "./releaseName.ts"
import type { ReleaseName } from "./releaseName.ts"

/**
 * The ICD-10-CM order file, plain or gzipped: headers and billable codes in tabular order (coverage-domain
 * §1.3).
 */
export const readIcd10cm: CodeReader = (path, edition) =>
  Effect.map(codeFile(path, "icd10cm"), (file) => {
    const snapshotId = codeSnapshotId("icd10cm", file, edition)
    return {
      snapshotId,
      kind: "icd10cm",
      read: Effect.suspend(() => Effect.fromResult(icd10cmContents(file, { snapshotId, edition })))
    }
  })

/** The first day of a file's release. */
export interface Release {
  readonly day: IsoDate
  /** True if neither the name nor the operator states it. */
  readonly isGuessed: boolean
}

/**
 * Returns the first day of the release from the file's name, since the rows hold no date:
 * `icd10cm-order-April-1-2026` is 2026-04-01, while a year alone is the fiscal year that began in October of
 * the year before. A stated edition settles an ambiguous name. A file without a date in its name counts from
 * the day of its last change. Fails with the reason, which continues "the file's name".
 */
export const releaseOf = (
  file: Pick<CodeFile, "name" | "modifiedOn">,
  edition?: Edition
): Result.Result<Release, string> => {
  const name = releaseName(file.name)
  const reason = ambiguityOf(name)
  if (reason === undefined && name._tag === "Day") return named(name.day)
  if (reason === undefined && name._tag === "Year") return named(`${name.year - 1}-10-01` as IsoDate)
  if (edition !== undefined) return named(edition.from)
  return reason === undefined
    ? Result.succeed({ day: file.modifiedOn, isGuessed: true })
    : Result.fail(`${reason}; state the days of the edition with --edition FROM..TO`)
}

const named = (day: IsoDate): Result.Result<Release> => Result.succeed({ day, isGuessed: false })

/** In `2025_Oct` the year may be the fiscal year, which begins in the October before. */
const ambiguityOf = (name: ReleaseName): string | undefined => {
  if (name._tag === "Ambiguous") return name.reason
  return name._tag === "Day" && name.monthFollowsYear && name.day.slice(5) >= "10-01"
    ? "states a month after a year that may be the calendar or the fiscal year"
    : undefined
}

const guessed = (year: string): string =>
  `The file's name does not state its year. The import took the year of its last change (${year}); ` +
  "--edition FROM..TO states another."

const icd10cmContents = (
  file: CodeFile,
  { edition, snapshotId }: FileFacts
): Result.Result<CodeContents, CmsFileMalformed> => {
  const release = releaseOf(file, edition)
  if (Result.isFailure(release)) {
    const reason = `the file's name ${release.failure}`
    return Result.fail(new CmsFileMalformed({ file: file.name, line: null, reason }))
  }
  const other = otherFile(file)
  if (other !== undefined) return Result.fail(faultAt(file, { index: 0, reason: other }))
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
  const { day: sourceAsOf, isGuessed } = release.success
  const year = yearEdition("icd10cm", sourceAsOf)
  return Result.succeed({
    snapshot: { snapshotId, kind: "icd10cm", sourceAsOf },
    edition: edition ?? year,
    codeSystem: "ICD10CM",
    codes,
    gaps: isGuessed ? [guessed(year.name)] : []
  })
}

/** Returns why the file is another one of the same download, with the one to take; undefined: it is not. */
const otherFile = ({ lines, name }: CodeFile): string | undefined => {
  const first = lines.find((line) => line.trim() !== "") ?? ""
  const take = `take ${cmsFileKinds.icd10cm.take} of the same download`
  if (/addend/i.test(name) || /^(add|delete|revise|no change)\b/i.test(first))
    return `it is an addenda file, which lists only changes: ${take}`
  return /^[A-Z]\d[0-9A-Z]{1,5}\s+\S/.test(first)
    ? `it is a codes file, without order numbers and headers: ${take}`
    : undefined
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
