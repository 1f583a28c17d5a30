import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { parse } from "csv-parse"
import * as Effect from "effect/Effect"
import type { IsoDate } from "../../core/coverage/date.ts"
import { isIsoDate } from "../../core/coverage/date.ts"
import { dayIn } from "./cell.ts"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import { atQuote, isOfQuotes, Quotes } from "./csvRecords.ts"
import type { InspectedFile } from "./inspect.ts"

/**
 * The longest real row, an LCD with its evidence, has under 1 MB; a longer one means that a quote is missing.
 */
const rowBytesMax = 16_000_000

/** A row as the reader of its table sees it. */
export interface Row {
  /** The cells of the columns asked for, in the order in which they were asked. */
  readonly cells: ReadonlyArray<string>
  /** Every cell of the row. */
  readonly whole: ReadonlyArray<string>
}

/** What a table must have and what becomes of its rows. */
export interface TableReader {
  /** Names of columns as in the header, lower case; all must be there, in any order, among any others. */
  readonly columns: ReadonlyArray<string>
  /** Columns that not every edition has; their cells come last, and are empty where they are absent. */
  readonly optional?: ReadonlyArray<string>
  /** Keeps the row, or says in words why it cannot be one of this table. */
  readonly row: (row: Row) => string | undefined
}

/**
 * Streams the table through the reader; nothing of it is kept here. The first fault ends the reading. Answers
 * with the newest day on which a row was updated, null where the table does not say.
 */
export const readTable = (
  file: InspectedFile,
  reader: TableReader
): Effect.Effect<IsoDate | null, CmsFileMalformed> =>
  Effect.tryPromise({
    try: async () => {
      const table = new Records(file, reader)
      const parser = parse({
        bom: true,
        relax_column_count: true,
        skip_empty_lines: true,
        max_record_size: rowBytesMax,
        on_record: (cells: ReadonlyArray<string>, context) => table.take(cells, context.lines)
      })
      parser.resume()
      try {
        await pipeline([await file.open(), ...decodeRow(file), parser])
      } catch (cause) {
        throw isOfQuotes(cause) ? atQuote(malformedFrom(cause, file.name), await quotesIn(file)) : cause
      }
      return table.end()
    },
    catch: (cause) => malformedFrom(cause, file.name)
  })

/** Reads the table again: the parser does not say where the cell began that it gave up on. */
const quotesIn = async (file: InspectedFile): Promise<Quotes> => {
  const quotes = new Quotes(",")
  for await (const chunk of await file.open()) quotes.take(Buffer.from(chunk).toString("latin1"))
  return quotes
}

const decodeRow = (file: InspectedFile): ReadonlyArray<Transform> => {
  if (file.encoding === "utf-8") return []
  const decoder = new TextDecoder(file.encoding)
  return [
    new Transform({
      transform: (chunk, _encoding, done) => done(null, Buffer.from(decoder.decode(chunk, { stream: true })))
    })
  ]
}

/** The first record is the header; every other has as many cells as it. What it throws ends the parse. */
class Records {
  readonly #file: InspectedFile
  readonly #reader: TableReader
  #header: ReadonlyArray<string> = []
  #picked: ReadonlyArray<number> = []
  #updated = -1
  #lastLine = 0
  #newest = ""

  constructor(file: InspectedFile, reader: TableReader) {
    this.#file = file
    this.#reader = reader
  }

  /** `lines` is the line on which the record ends; its cells may hold many. */
  take(cells: ReadonlyArray<string>, lines: number): null {
    const line = this.#lastLine + 1
    this.#lastLine = lines
    if (this.#header.length === 0) {
      this.#header = cells.map((name) => name.trim().toLowerCase())
      this.#picked = columnsOf(this.#file, this.#reader, this.#header)
      this.#updated = this.#header.findIndex((name) => updateColumns.has(name))
      return null
    }
    const reason =
      cells.length === this.#header.length
        ? this.#reader.row({ cells: this.#picked.map((index) => cells[index] ?? ""), whole: cells })
        : `it has ${cells.length} cells, not ${this.#header.length}`
    if (reason !== undefined) throw new CmsFileMalformed({ file: this.#file.name, line, reason })
    const day = dayIn(cells[this.#updated] ?? "") ?? ""
    if (day > this.#newest) this.#newest = day
    return null
  }

  end(): IsoDate | null {
    if (this.#header.length > 0) return isIsoDate(this.#newest) ? this.#newest : null
    throw new CmsFileMalformed({ file: this.#file.name, line: null, reason: "it is empty" })
  }
}

const updateColumns: ReadonlySet<string> = new Set(["last_updated", "last_updt_tmstmp"])

const columnsOf = (
  file: InspectedFile,
  reader: TableReader,
  names: ReadonlyArray<string>
): ReadonlyArray<number> => {
  const missing = reader.columns.filter((name) => !names.includes(name))
  if (missing.length === 0) {
    return [...reader.columns, ...(reader.optional ?? [])].map((name) => names.indexOf(name))
  }
  const reason = `the column${missing.length === 1 ? "" : "s"} ${missing.join(", ")} ${
    missing.length === 1 ? "is" : "are"
  } missing`
  throw new CmsFileMalformed({ file: file.name, line: 1, reason })
}
