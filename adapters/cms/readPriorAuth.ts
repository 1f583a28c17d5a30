import { createHash } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import { procedureSystem } from "../../core/coverage/codeText.ts"
import { isIsoDate } from "../../core/coverage/date.ts"
import type { PriorAuthContents, PriorAuthRow } from "../../core/coverage/PriorAuthRule.ts"
import { payerProgram } from "../../core/coverage/PriorAuthRule.ts"
import { sites } from "../../core/coverage/site.ts"
import { stateNames } from "../../core/coverage/stateNames.ts"
import type { PriorAuthSource } from "../../core/import/importPriorAuth.ts"
import { packedFault } from "./byteOrderMark.ts"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import { csvRecords } from "./csvRecords.ts"

/** The columns of the file, in this order (coverage-domain §2.1, rule 11). */
const columns = [
  ...["program", "code", "effective_date", "end_date", "states", "sites"],
  ...["exemption", "source_url", "list_as_of"]
] as const

/** The optional last column: the code is listed only beside one of these codes. */
const optionalColumn = "with_codes"

/** A list of some hundred rows has some 30 kB; more than this is none. */
const fileBytesMax = 2_000_000
/** A short text, which is shown in a sentence. */
const exemptionCharactersMax = 300

/** A prior authorization list as CSV, one program a file. The first fault ends the reading. */
export const readPriorAuth = (path: string): Effect.Effect<PriorAuthSource, CmsFileMalformed> => {
  const file = basename(path)
  return Effect.tryPromise({
    try: async () => {
      if ((await stat(path)).size > fileBytesMax) throw faultAt(file, null, "it is larger than any real list")
      const bytes = await readFile(path)
      const packed = packedFault(bytes, file)
      if (packed !== undefined) throw packed
      return {
        snapshotId: createHash("sha256").update("prior_auth ").update(bytes).digest("hex"),
        contents: contentsOf(file, textOf(file, bytes))
      }
    },
    catch: (cause) => malformedFrom(cause, file)
  })
}

const faultAt = (file: string, line: number | null, reason: string): CmsFileMalformed =>
  new CmsFileMalformed({ file, line, reason })

const textOf = (file: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw faultAt(file, null, "it is no UTF-8 text")
  }
}

const contentsOf = (file: string, text: string): PriorAuthContents => {
  const [header, ...lines] = csvRecords(text, { file, cell: (cell) => cell.trim() })
  const width = header === undefined ? undefined : widths.get(header.cells.join())
  if (width === undefined) {
    const reason = `its first line is not the columns ${columns.join(", ")}, with or without ${optionalColumn}`
    throw faultAt(file, header?.line ?? null, reason)
  }
  const seen = new Set<string>()
  const rows = lines.map(({ cells, line }) => {
    const fault = faultOf(cells, { first: lines[0]?.cells ?? [], width }) ?? repeated(seen, cells)
    if (fault !== undefined) throw faultAt(file, line, fault)
    return rowOf(cells)
  })
  const [program = "", , , , , , , sourceUrl = "", listAsOf = ""] = lines[0]?.cells ?? []
  if (!isIsoDate(listAsOf)) throw faultAt(file, null, "no row follows its columns")
  return { program, listAsOf, sourceUrl, rows }
}

/** How many columns a header has, by its text. */
const widths: ReadonlyMap<string, number> = new Map([
  [columns.join(), columns.length],
  [[...columns, optionalColumn].join(), columns.length + 1]
])

interface ListFacts {
  readonly first: ReadonlyArray<string>
  readonly width: number
}

/** Returns why the row cannot be one of this list, whose first row states program and day. */
const faultOf = (cells: ReadonlyArray<string>, { first, width }: ListFacts): string | undefined => {
  if (cells.length !== width) return `it has ${cells.length} cells, not ${width}`
  const [
    program = "",
    code = "",
    from = "",
    until = "",
    states = "",
    at = "",
    exemption = "",
    url = "",
    asOf = ""
  ] = cells
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(program) || program.toLowerCase() === payerProgram)
    return "its program is no name of a list: letters, digits, _ and -"
  if (program !== first[0]) return "its program is not that of the first row: a file holds one program"
  if (procedureSystem(code) === undefined) return "its code is no procedure code"
  if (!isIsoDate(from)) return "its effective_date is no day, YYYY-MM-DD"
  if (until !== "" && !isIsoDate(until)) return "its end_date is neither empty nor a day, YYYY-MM-DD"
  if (until !== "" && until < from) return "its end_date lies before its effective_date"
  if (!isList(states, (state) => Object.hasOwn(stateNames, state)))
    return "its states are neither ALL nor two-letter states joined by |"
  if (!isList(at, (site) => sites.some((known) => known === site)))
    return `its sites are neither ALL nor joined by |, of ${sites.join(", ")}`
  if (exemption.length > exemptionCharactersMax)
    return `its exemption is longer than ${exemptionCharactersMax} characters`
  if (!/^https?:\/\/\S+$/.test(url)) return "its source_url is no address, https://…"
  if (!isIsoDate(asOf)) return "its list_as_of is no day, YYYY-MM-DD"
  if (asOf !== first[8]) return "its list_as_of is not that of the first row: a list has one day"
  return withCodesFault(code, cells[columns.length] ?? "")
}

const withCodesFault = (code: string, cell: string): string | undefined => {
  if (cell === "") return undefined
  const others = cell.split("|")
  if (others.some((other) => procedureSystem(other) === undefined))
    return "its with_codes are neither empty nor procedure codes joined by |"
  return others.includes(code) ? "its with_codes contain its own code" : undefined
}

const isList = (cell: string, knows: (each: string) => boolean): boolean =>
  cell === "ALL" || cell.split("|").every(knows)

const repeated = (seen: Set<string>, cells: ReadonlyArray<string>): string | undefined => {
  const key = [...cells.slice(0, 6), cells[columns.length] ?? ""].join()
  if (seen.has(key)) return "the same row stands in the list before"
  seen.add(key)
  return undefined
}

/** Of cells that were checked. */
const rowOf = (cells: ReadonlyArray<string>): PriorAuthRow => {
  const [, code = "", from = "", until = "", states = "", at = "", exemption = "", sourceUrl = ""] = cells
  const withCodes = cells[columns.length] ?? ""
  return {
    code,
    effectiveDate: from as PriorAuthRow["effectiveDate"],
    endDate: isIsoDate(until) ? until : null,
    states: listed(states),
    sites: listed(at),
    exemption: exemption === "" ? null : exemption,
    ...(withCodes === "" ? {} : { withCodes: [...new Set(withCodes.split("|"))].toSorted() }),
    sourceUrl
  }
}

const listed = (cell: string): ReadonlyArray<string> | "all" =>
  cell === "ALL" ? "all" : cell.split("|").toSorted()
