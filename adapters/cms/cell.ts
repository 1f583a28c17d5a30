import type { IsoDate } from "../../core/coverage/date.ts"
import { isIsoDate } from "../../core/coverage/date.ts"
import { foldSpace, htmlText } from "../../core/coverage/htmlText.ts"

/** A cell that holds a UTC time or nothing: its day, null, or undefined when it is neither. */
export const dayIn = (cell: string): IsoDate | null | undefined => {
  const text = cell.trim()
  if (text === "" || /^n\/?a$/i.test(text)) return null
  const day = text.slice(0, 10)
  return isIsoDate(day) && /^.{10}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?$/.test(text) ? day : undefined
}

/** Whether every cell holds a day or nothing; readers check before they keep a row. */
export const areDays = (cells: ReadonlyArray<string>): boolean =>
  cells.every((cell) => dayIn(cell) !== undefined)

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
