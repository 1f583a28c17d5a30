import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { EditTable, PtpEdit } from "../../core/coverage/editTables.ts"
import { procedureSystem } from "../../core/coverage/codeText.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { isIsoDate } from "../../core/coverage/date.ts"
import type { EditContents, EditSource } from "../../core/import/EditSource.ts"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import { lineFile } from "./lineFile.ts"
import type { LineFile } from "./lineFile.ts"

/**
 * An NCCI procedure-to-procedure file, tab separated (coverage-domain §1.3): titles, a header of one or
 * several lines, then a pair a line. The practitioner edits are 2.2 million lines in four files, so nothing
 * is gathered: one reading checks every line, another hands the pairs on, and a batch is all that is held.
 */
export const readNcci = (
  path: string,
  service: EditTable
): Effect.Effect<EditSource<CmsFileMalformed>, CmsFileMalformed> =>
  Effect.map(lineFile(path, "ncci"), (file) => {
    const snapshotId = createHash("sha256").update(`ncci_ptp ${service} ${file.sha256}\n`).digest("hex")
    return { snapshotId, kind: "ncci_ptp", read: checked({ file, service }, snapshotId) }
  })

/** Pairs handed on at once: large enough that commits do not matter, and about 1 MB. */
export const pairsPerBatch = 5_000
/** Lines of titles before the header; the real files have one or two. */
const titleLinesMax = 20

interface Source {
  readonly file: LineFile
  readonly service: EditTable
}

const checked = (
  source: Source,
  snapshotId: string
): Effect.Effect<EditContents<CmsFileMalformed>, CmsFileMalformed> =>
  Effect.tryPromise({
    try: async (): Promise<EditContents<CmsFileMalformed>> => {
      let [count, never, newest] = [0, 0, ""]
      for await (const pairs of batchesIn(source)) {
        for (const pair of pairs) {
          if (pair.effectiveDate > newest) newest = pair.effectiveDate
          if (isNever(pair)) never += 1
          else count += 1
        }
      }
      if (!isIsoDate(newest))
        throw new CmsFileMalformed({ file: source.file.name, line: null, reason: empty })
      return {
        snapshot: { snapshotId, kind: "ncci_ptp", sourceAsOf: newest },
        count,
        batches: batchesOf(source),
        gaps: never === 0 ? [] : [`Pairs that end before they begin and were left out: ${never}.`]
      }
    },
    catch: (cause) => malformedFrom(cause, source.file.name)
  })

const empty = "no line of it is a pair of codes"

const batchesOf = (source: Source): EditContents<CmsFileMalformed>["batches"] =>
  Stream.fromAsyncIterable(batchesIn(source), (cause) => malformedFrom(cause, source.file.name)).pipe(
    Stream.map((pairs) => ({ pairs: pairs.filter((pair) => !isNever(pair)), units: [] }))
  )

const isNever = (pair: PtpEdit): boolean =>
  pair.deletionDate !== null && pair.deletionDate < pair.effectiveDate

/** Every pair of the file in its order; throws CmsFileMalformed at the first line that is none. */
async function* batchesIn({ file, service }: Source): AsyncGenerator<ReadonlyArray<PtpEdit>> {
  const body = new Body(file.name, service)
  let held: Array<PtpEdit> = []
  for await (const lines of file.lines()) {
    for (const text of lines) {
      const pair = body.take(text)
      if (pair !== undefined) held.push(pair)
      if (held.length < pairsPerBatch) continue
      yield held
      held = []
    }
  }
  body.end()
  if (held.length > 0) yield held
}

/** Where the reading stands: titles, then the header, then pairs. What it throws ends the reading. */
class Body {
  readonly #file: string
  readonly #service: EditTable
  #line = 0
  #place: "titles" | "header" | "pairs" = "titles"

  constructor(file: string, service: EditTable) {
    this.#file = file
    this.#service = service
  }

  /** The pair of the next line; undefined: it is a title, of the header, or blank. */
  take(text: string): PtpEdit | undefined {
    this.#line += 1
    const cells = text.split("\t").map(bare)
    if (cells.every((cell) => cell === "")) return undefined
    if (this.#place === "titles") {
      if (this.#line > titleLinesMax) throw this.#fault(null, noHeader)
      if (isHeader(cells)) this.#place = "header"
      return undefined
    }
    if (this.#place === "header" && cells[0] === "" && cells[1] === "") return undefined
    this.#place = "pairs"
    const pair = pairIn(cells, this.#service)
    if (typeof pair === "string") throw this.#fault(this.#line, pair)
    return pair
  }

  end(): void {
    if (this.#place === "titles") throw this.#fault(null, noHeader)
  }

  #fault(line: number | null, reason: string): CmsFileMalformed {
    return new CmsFileMalformed({ file: this.#file, line, reason })
  }
}

const noHeader = "no header of a table of pairs begins it: Column 1, Column 2 and so on, between tabs"

const isHeader = ([first = "", second = ""]: ReadonlyArray<string>): boolean =>
  /^column ?1\b/i.test(first) && /^column ?2\b/i.test(second)

const bare = (cell: string): string => {
  const trimmed = cell.trim()
  return trimmed.startsWith('"') && trimmed.endsWith('"') && trimmed.length > 1
    ? trimmed.slice(1, -1).trim()
    : trimmed
}

/** The pair of a line, or why it is none. */
const pairIn = (cells: ReadonlyArray<string>, service: EditTable): PtpEdit | string => {
  const [column1 = "", column2 = "", existence = "", effective, deletion, indicator = "", rationale = ""] =
    cells
  if (cells.length < 6 || cells.slice(7).some((cell) => cell !== "")) {
    return `a pair has 6 or 7 cells between tabs, this line ${cells.length}`
  }
  if (procedureSystem(column1) === undefined) return "its first column is no procedure code"
  if (procedureSystem(column2) === undefined) return "its second column is no procedure code"
  if (existence !== "" && existence !== "*") return "its third column is neither empty nor an asterisk"
  const effectiveDate = dayFrom(effective)
  if (effectiveDate === undefined) return "its effective date is no date"
  const deletionDate = deletion === "*" ? null : dayFrom(deletion)
  if (deletionDate === undefined) return "its deletion date is neither a date nor an asterisk"
  const modifierIndicator = indicators.get(indicator)
  if (modifierIndicator === undefined) return "its modifier indicator is none of 0, 1 and 9"
  return {
    column1,
    column2,
    service,
    effectiveDate,
    deletionDate,
    modifierIndicator,
    rationale: rationale || null
  }
}

const indicators: ReadonlyMap<string, PtpEdit["modifierIndicator"]> = new Map([
  ["0", 0],
  ["1", 1],
  ["9", 9]
])

const dayFrom = (digits = ""): IsoDate | undefined => {
  const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
  return /^\d{8}$/.test(digits) && isIsoDate(day) ? day : undefined
}
