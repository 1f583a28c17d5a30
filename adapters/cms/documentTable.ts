import { isNumber } from "./cell.ts"
import type { LoadedTables, LocalKind } from "./LoadedTables.ts"
import type { LocalRecord } from "./LocalRecord.ts"
import { recordFor } from "./LocalRecord.ts"
import type { Row, TableReader } from "./readTable.ts"

/** A table whose rows belong to one version of one document. */
export const documentTable = (
  gathered: LoadedTables,
  table: {
    readonly kind: LocalKind
    readonly columns: ReadonlyArray<string>
    readonly keep: (record: LocalRecord, cells: ReadonlyArray<string>) => string | undefined
  }
): TableReader => ({
  columns: [`${table.kind}_id`, `${table.kind}_version`, ...table.columns],
  row: ({ cells, whole }: Row) => {
    const [number = "", version = ""] = cells
    if (!isNumber(number) || !isNumber(version)) return notNumbers(table.kind)
    const record = recordFor(gathered.local[table.kind], { number: number.trim(), version: Number(version) })
    record?.hash.update(rowText(table.columns.join(), whole))
    return record === undefined ? undefined : table.keep(record, cells)
  }
})

/** Why a row belongs to no version of no document. */
export const notNumbers = (kind: LocalKind): string => `${kind}_id and ${kind}_version must be numbers`

/** One text per row for the hash of a document's source; no cell holds these separators. */
export const rowText = (table: string, whole: ReadonlyArray<string>): string =>
  `${table}\u001f${whole.join("\u001f")}\u001e`
