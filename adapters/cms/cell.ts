import type { IsoDate } from "../../core/coverage/date.ts"
import { isIsoDate } from "../../core/coverage/date.ts"
import { foldSpace, htmlText } from "../../core/coverage/htmlText.ts"

/**
 * Returns the day of a cell with a UTC time, null for an empty cell, or undefined for any other. A table that
 * was saved from a spreadsheet has its times as `3/9/2026 16:52`.
 */
export const dayIn = (cell: string): IsoDate | null | undefined => {
  const text = cell.trim()
  if (text === "" || /^n\/?a$/i.test(text)) return null
  const day = isoForm.test(text) ? text.slice(0, 10) : spreadsheetDay(text)
  return isIsoDate(day) ? day : undefined
}

const isoForm = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?$/
const spreadsheetForm = /^(\d{1,2})\/(\d{1,2})\/(\d{4})( \d{1,2}:\d{2}(:\d{2})?( ?[AP]M)?)?$/i

const spreadsheetDay = (text: string): string => {
  const [, month = "", day = "", year = ""] = spreadsheetForm.exec(text) ?? []
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
}

/**
 * Returns what is wrong with the first column that holds neither a day nor nothing: its name and what kind of
 * value it holds, never the value; undefined: nothing. Readers check before they keep a row.
 */
export const dateFault = (columns: Readonly<Record<string, string | undefined>>): string | undefined => {
  const found = Object.entries(columns).find(([, cell = ""]) => dayIn(cell) === undefined)
  if (found === undefined) return undefined
  const [column, cell = ""] = found
  return `${column} is no date: it holds ${kindOfValue(cell.trim())}, not YYYY-MM-DD or M/D/YYYY`
}

/** Says in words what a cell holds that should be a date. */
export const kindOfValue = (text: string): string =>
  kindsOfValue.find(([pattern]) => pattern.test(text))?.[1] ?? "a text"

const kindsOfValue: ReadonlyArray<readonly [RegExp, string]> = [
  [isoForm, "a day that the calendar does not have"],
  [spreadsheetForm, "a day that the calendar does not have"],
  [/^\d{8}$/, "eight digits"],
  [/^\d+(\.\d+)?$/, "a number"],
  [/^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}$/, "a year of two digits"],
  [/^[\d\s:/.TZ-]+$/i, "a date in another form"]
]

/** Returns a time as text that sorts: a spreadsheet's form as `2026-03-09 16:52`, any other unchanged. */
export const sortableTime = (cell: string): string => {
  const [, , , , time = ""] = spreadsheetForm.exec(cell.trim()) ?? []
  if (!spreadsheetForm.test(cell.trim())) return cell
  const [, hour = "0", rest = "", half = ""] = /^ (\d{1,2})(:[\d:]+) ?([AP]?)/i.exec(time) ?? []
  const hours = half === "" ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  return `${spreadsheetDay(cell.trim())} ${String(hours).padStart(2, "0")}${rest}`
}

/** The day of a cell that was checked before. */
export const day = (cell: string | undefined): IsoDate | null => dayIn(cell ?? "") ?? null

/** A number that names a document, a contractor or a state; CMS quotes some of them and pads none. */
export const isNumber = (cell: string): boolean => /^\d{1,9}$/.test(cell.trim())

/** The text of a cell of HTML; null for an empty one and for the editors' ways of writing "nothing". */
export const text = (cell: string | undefined): string | null => {
  const plain = htmlText(cell ?? "")
  return plain === "" || /^(n\/?a|none|not applicable)\.?$/i.test(plain) ? null : plain
}

/** A title or a name: one line. */
export const line = (cell: string | undefined): string => foldSpace(htmlText(cell ?? ""))

/** Keywords are written with commas, semicolons or line breaks between them. */
export const keywords = (cell: string | undefined): ReadonlyArray<string> => {
  const words = htmlText(cell ?? "")
    .split(/[,;\n]/)
    .map((word) => foldSpace(word.replace(/^- /, "")))
  return [...new Set(words.filter((word) => word !== "" && !/^n\/?a$/i.test(word)))].toSorted()
}
