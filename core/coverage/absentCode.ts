import type { CodeSystem } from "./Code.ts"
import type { CodeTableEdition } from "./CodeTable.ts"
import { tableOn } from "./CodeTable.ts"
import { codeSystemsLike } from "./codeText.ts"
import type { IsoDate } from "./date.ts"

interface AbsentCode {
  readonly text: string
  /** Null: the systems whose shape the text has. */
  readonly codeSystem: CodeSystem | null
  readonly tables: ReadonlyArray<CodeTableEdition>
  readonly asOf: IsoDate
}

/**
 * Returns the message for a code that was not found: for each code system it may belong to, the edition at
 * hand and whether that edition covers the date (coverage-domain §2.1, rule 1).
 */
export const absentCodeMessage = (absent: AbsentCode): string =>
  ["No medical code matches.", ...systemsOf(absent).map((system) => sentenceOf(system, absent))].join(" ")

/** Returns the name of the edition at hand of the likeliest code system that has a table, else null. */
export const editionAtHand = (absent: AbsentCode): string | null => {
  for (const codeSystem of systemsOf(absent)) {
    const found = tableOn(absent.tables, { codeSystem, day: absent.asOf })
    if (found !== undefined) return found.table.name
  }
  return null
}

const systemsOf = ({ codeSystem, text }: AbsentCode): ReadonlyArray<CodeSystem> =>
  codeSystem === null ? codeSystemsLike(text) : [codeSystem]

const sentenceOf = (codeSystem: CodeSystem, { asOf, tables }: AbsentCode): string => {
  const what = tableNames[codeSystem]
  const found = tableOn(tables, { codeSystem, day: asOf })
  if (found === undefined) return `No ${what} is loaded.`
  const { from, name, until } = found.table
  const days = until === null ? `from ${from}` : `${from} to ${until}`
  return found.judges
    ? `The loaded ${what} (edition ${name}, ${days}) does not contain it.`
    : `The loaded ${what} (edition ${name}, ${days}) does not cover the date asked for.`
}

const tableNames: Readonly<Record<CodeSystem, string>> = {
  CPT: "physician fee schedule (CPT)",
  HCPCS: "HCPCS table",
  ICD10CM: "ICD-10-CM table",
  ICD10PCS: "ICD-10-PCS table",
  NDC: "NDC table"
}
