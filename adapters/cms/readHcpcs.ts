import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import { yearEdition } from "../../core/coverage/CodeTable.ts"
import { hcpcsCategory, isDescriptorLicensed, procedureSystem } from "../../core/coverage/codeText.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { isIsoDate } from "../../core/coverage/date.ts"
import { foldSpace } from "../../core/coverage/htmlText.ts"
import type { CodeContents } from "../../core/import/CodeSource.ts"
import { kindOfValue } from "./cell.ts"
import type { CmsFileMalformed } from "./CmsFileMalformed.ts"
import type { CodeFile, CodeReader, FileFacts } from "./codeFile.ts"
import { codeFile, codeSnapshotId, faultAt } from "./codeFile.ts"
import { releaseName } from "./releaseName.ts"

/**
 * The HCPCS level II contractor file, fixed width (coverage-domain §1.3). Modifiers are checked and left out:
 * the code systems of the wire know none (contract §2), and policies carry their own. CPT and CDT codes,
 * should a file hold any, come without a word of their descriptions. The file is of the calendar year in its
 * name, else of the newest day in its rows.
 */
export const readHcpcs: CodeReader = (path, edition) =>
  Effect.map(codeFile(path, "hcpcs"), (file) => {
    const snapshotId = codeSnapshotId("hcpcs", file, edition)
    return {
      snapshotId,
      kind: "hcpcs",
      read: Effect.suspend(() => Effect.fromResult(hcpcsContents(file, { snapshotId, edition })))
    }
  })

const hcpcsContents = (
  file: CodeFile,
  { edition, snapshotId }: FileFacts
): Result.Result<CodeContents, CmsFileMalformed> => {
  const records: Array<Gathered> = []
  const seen = new Set<string>()
  for (const [index, line] of file.lines.entries()) {
    if (line.trim() === "") continue
    const reason = take(line.trimEnd(), records, seen)
    if (reason !== undefined) return Result.fail(faultAt(file, { index, reason }))
  }
  const days = records.flatMap(({ first }) => [field(first, "added"), field(first, "actionEffective")])
  const sourceAsOf = days
    .flatMap((digits) => dayFrom(digits) ?? [])
    .toSorted()
    .at(-1)
  if (sourceAsOf === undefined) return Result.fail(faultAt(file, { index: 0, reason: "no line is a code" }))
  const codes = records.filter((record) => !record.isModifier).map(codeRecord)
  const modifiers = records.length - codes.length
  const year = yearOf(file.name) ?? sourceAsOf.slice(0, 4)
  return Result.succeed({
    snapshot: { snapshotId, kind: "hcpcs", sourceAsOf },
    edition: edition ?? yearEdition("hcpcs", `${year}-01-01` as IsoDate),
    codeSystem: "HCPCS",
    codes,
    gaps: modifiers === 0 ? [] : [`Modifiers left out, for they are no codes of a lookup: ${modifiers}.`]
  })
}

/** Reads `HCPC2026_APR_ANWEB.txt`, `HCPC17_CONTR_ANWEB.txt`, and another name if it states one date. */
const yearOf = (name: string): string | undefined => {
  const digits = /hcpcs?[-_ ]?(20\d{2}|\d{2})(?!\d)/i.exec(name)?.[1]
  if (digits !== undefined) return digits.length === 2 ? `20${digits}` : digits
  const release = releaseName(name)
  if (release._tag === "Year") return String(release.year)
  return release._tag === "Day" ? release.day.slice(0, 4) : undefined
}

/** A record without its trailing blanks ends with the action code, and with them at the layout's width. */
const recordEndsMin = 293
const recordCharacters = 320

/** Columns of the record layout, from 1, both ends included. */
const columns = {
  code: [1, 5],
  recordId: [11, 11],
  long: [12, 91],
  short: [92, 119],
  coverage: [230, 230],
  betos: [257, 259],
  added: [269, 276],
  actionEffective: [277, 284],
  termination: [285, 292]
} as const

const field = (line: string, name: keyof typeof columns): string =>
  line.slice(columns[name][0] - 1, columns[name][1]).trim()

interface Gathered {
  readonly code: string
  readonly isModifier: boolean
  readonly first: string
  /** The long description's parts in order. */
  readonly parts: Array<string>
}

/** 3 a code, 7 a modifier; 4 and 8 go on with the description of the one before. */
const take = (line: string, records: Array<Gathered>, seen: Set<string>): string | undefined => {
  const recordId = field(line, "recordId")
  switch (recordId) {
    case "3":
    case "7":
      return begin(line, records, seen)
    case "4":
    case "8":
      return goOn(line, records.at(-1))
    default:
      return "column 11 is none of the record types 3, 4, 7 and 8"
  }
}

const begin = (line: string, records: Array<Gathered>, seen: Set<string>): string | undefined => {
  if (line.length < recordEndsMin || line.length > recordCharacters)
    return `a record of type 3 or 7 ends in columns ${recordEndsMin} to ${recordCharacters}, this one in ${line.length}`
  const isModifier = field(line, "recordId") === "7"
  const code = field(line, "code")
  const isCode = isModifier ? /^[A-Z0-9]{2}$/.test(code) : procedureSystem(code) !== undefined
  if (!isCode) return "columns 1 to 5 are no code"
  if (!isModifier && seen.has(code)) return "its code stands in the file before"
  if (!/^[CDIMS]?$/.test(field(line, "coverage"))) return "column 230 is no coverage code"
  const wrong = dateColumns.find(
    (name) => field(line, name) !== "" && dayFrom(field(line, name)) === undefined
  )
  if (wrong !== undefined) return dateReason(wrong, field(line, wrong))
  if (!isModifier) seen.add(code)
  records.push({ code, isModifier, first: line, parts: [field(line, "long")] })
  return undefined
}

const goOn = (line: string, record: Gathered | undefined): string | undefined => {
  if (line.length > recordCharacters)
    return `a continuation ends in column ${recordCharacters} at most, this one in ${line.length}`
  const isOfModifier = field(line, "recordId") === "8"
  if (record === undefined || record.code !== field(line, "code") || record.isModifier !== isOfModifier) {
    return "a continuation must follow the code it belongs to"
  }
  record.parts.push(field(line, "long"))
  return undefined
}

const dateColumns = ["added", "actionEffective", "termination"] as const

/** Names the columns and what they hold, never the value. */
const dateReason = (name: (typeof dateColumns)[number], text: string): string => {
  const [first, last] = columns[name]
  const kind = /^\d{8}$/.test(text) ? "a day that the calendar does not have" : kindOfValue(text)
  return `columns ${first} to ${last} (${dateNames[name]}) are no date: they hold ${kind}, not YYYYMMDD`
}

const dateNames = {
  added: "date added",
  actionEffective: "action effective date",
  termination: "termination date"
} as const

const dayFrom = (digits: string): IsoDate | undefined => {
  const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
  return isIsoDate(day) ? day : undefined
}

/** In force from the day the code was added: later action dates tell of its last change. */
const codeRecord = ({ code, first, parts }: Gathered): CodeRecord => {
  const isLicensed = isDescriptorLicensed(code)
  return {
    codeSystem: procedureSystem(code) ?? "HCPCS",
    code,
    description: isLicensed ? null : foldSpace(parts.join(" ")) || null,
    shortDescription: isLicensed ? null : foldSpace(field(first, "short")) || null,
    category: hcpcsCategory(code),
    betosCode: field(first, "betos") || null,
    poaExempt: null,
    billable: true,
    coverageCode: field(first, "coverage") || null,
    effectiveDate: dayFrom(field(first, "added")) ?? null,
    terminationDate: dayFrom(field(first, "termination")) ?? null
  }
}
