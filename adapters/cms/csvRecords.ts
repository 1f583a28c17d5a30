import { parse } from "csv-parse/sync"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"

/** A record of a file and the line on which it begins; cells may hold line breaks. */
export interface CsvRecord {
  readonly cells: ReadonlyArray<string>
  readonly line: number
}

/** The records of a text that is held whole, their cells folded so; empty ones are left out. */
export const csvRecords = (
  text: string,
  source: { readonly file: string; readonly cell: (text: string) => string; readonly delimiter?: string }
): ReadonlyArray<CsvRecord> => {
  const { cell, delimiter = ",", file } = source
  const records: Array<CsvRecord> = []
  let last = 0
  try {
    parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      on_record: (cells: ReadonlyArray<string>, { lines }) => {
        const record = { cells: cells.map(cell), line: last + 1 }
        last = lines
        if (record.cells.some((each) => each !== "")) records.push(record)
        return null
      }
    })
  } catch (cause) {
    const quotes = new Quotes(delimiter)
    if (isOfQuotes(cause)) quotes.take(text)
    throw atQuote(malformedFrom(cause, file), quotes)
  }
  return records
}

/** Whether a parser gave up on a quoted cell; it knows the line where it did, not where the cell began. */
export const isOfQuotes = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && quoteFaults.has(String(cause.code))

const quoteFaults: ReadonlySet<string> = new Set([
  "CSV_QUOTE_NOT_CLOSED",
  "CSV_INVALID_CLOSING_QUOTE",
  "CSV_MAX_RECORD_SIZE"
])

/** The fault at the line where its quote opens. */
export const atQuote = ({ file, line, reason }: CmsFileMalformed, quotes: Quotes): CmsFileMalformed =>
  new CmsFileMalformed({ file, line: quotes.openLine ?? line, reason })

/** Follows the quotes of a text, given in parts, up to a quoted cell that does not end as a cell does. */
export class Quotes {
  readonly #ends: string
  #state: "outside" | "inside" | "after" | "broken" = "outside"
  #line = 1
  #opened = 1

  constructor(delimiter: string) {
    this.#ends = `${delimiter}\r\n`
  }

  take(text: string): void {
    for (const character of text) {
      if (this.#state === "broken") return
      this.#state = this.#next(character)
      if (character === "\n") this.#line += 1
    }
  }

  /** The line on which the cell begins that is open here, or broken; undefined: none is. */
  get openLine(): number | undefined {
    return this.#state === "inside" || this.#state === "broken" ? this.#opened : undefined
  }

  #next(character: string) {
    switch (this.#state) {
      case "outside":
        if (character !== '"') return "outside"
        this.#opened = this.#line
        return "inside"
      case "inside":
        return character === '"' ? "after" : "inside"
      case "after":
        // Two quotes are one of the cell's own.
        return character === '"' ? "inside" : this.#ends.includes(character) ? "outside" : "broken"
      case "broken":
        return "broken"
    }
  }
}
