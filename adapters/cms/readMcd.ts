import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { PolicyContents, PolicySource } from "../../core/import/PolicySource.ts"
import { CmsFileMalformed } from "./CmsFileMalformed.ts"
import { contentsOf } from "./FileContents.ts"
import { csvFiles } from "./files.ts"
import type { LoadedTables } from "./LoadedTables.ts"
import { emptyTables } from "./LoadedTables.ts"
import { inspect, snapshotIdOf } from "./inspect.ts"
import type { InspectedFile } from "./inspect.ts"
import { localTables } from "./localTables.ts"
import { readTable } from "./readTable.ts"
import type { TableReader } from "./readTable.ts"
import { contractorTableNames, referenceTables } from "./referenceTables.ts"

/**
 * A download of the Medicare Coverage Database: a folder of its CSV tables, the zip that CMS publishes, or a
 * zip or folder of several of them. Opening it hashes every table; `read` then checks and gathers every row,
 * and makes documents only when they are asked for, so that the largest export stays within a few hundred
 * megabytes.
 */
export const readMcd = (
  path: string
): Effect.Effect<PolicySource<CmsFileMalformed>, CmsFileMalformed, Scope.Scope> =>
  Effect.gen(function* () {
    const found = yield* csvFiles(path)
    const files = yield* Effect.forEach(found, inspect, { concurrency: filesAtOnce })
    if (!files.some((file) => documentTables.has(file.name))) return yield* noTables(path)
    const snapshotId = snapshotIdOf(files)
    return { snapshotId, kind: "mcd", read: read(snapshotId, files) }
  })

/** Hashing is bound by the disk and one core. */
const filesAtOnce = 2

/** One of these makes an import worth beginning. */
const documentTables: ReadonlySet<string> = new Set([
  "ncd_trkg.csv",
  "lcd.csv",
  "lcd_x_contractor.csv",
  "lcd_x_hcpc_code.csv",
  "article.csv"
])

const noTables = (path: string): CmsFileMalformed =>
  new CmsFileMalformed({
    file: path.split("/").at(-1) ?? path,
    line: null,
    reason:
      "it holds no table of the Medicare Coverage Database: no ncd_trkg.csv, lcd table or article.csv; " +
      "take the zip of CSV tables that CMS publishes, such as current_lcd.zip, or its folder"
  })

const read = (
  snapshotId: string,
  files: ReadonlyArray<InspectedFile>
): Effect.Effect<PolicyContents, CmsFileMalformed> =>
  Effect.gen(function* () {
    const gathered = emptyTables()
    const { tables, gaps } = chosen(files)
    const newest = yield* readAll(tables, gathered)
    const isLocal = gathered.local.lcd.size + gathered.local.article.size > 0
    const missing = isLocal ? contractorTableNames.find((name) => !tables.has(name)) : undefined
    if (missing !== undefined) {
      const reason = "it is missing: without it nobody can say where local documents apply"
      return yield* new CmsFileMalformed({ file: `${missing}.csv`, line: null, reason })
    }
    return contentsOf({ snapshotId, sourceAsOf: newest, gathered, tables: new Set(tables.keys()), gaps })
  })

/** Known tables in the order that settles versions first, then every other, only to see that it is whole. */
const readAll = (
  tables: ReadonlyMap<string, InspectedFile>,
  gathered: LoadedTables
): Effect.Effect<IsoDate, CmsFileMalformed> =>
  Effect.gen(function* () {
    const known = new Map<string, TableReader>([
      ...referenceTables(gathered),
      ...localTables(gathered, "lcd"),
      ...localTables(gathered, "article")
    ])
    const order = [...known.keys(), ...[...tables.keys()].filter((name) => !known.has(name))]
    const days: Array<IsoDate> = []
    for (const name of order) {
      const file = tables.get(name)
      const day = file === undefined ? null : yield* readTable(file, known.get(name) ?? anyTable)
      if (day !== null) days.push(day)
    }
    const newest = days.toSorted().at(-1)
    if (newest !== undefined) return newest
    const reason = "no row of any table says when it was updated, so the snapshot has no date"
    return yield* new CmsFileMalformed({ file: "last_updated", line: null, reason })
  })

const anyTable: TableReader = { columns: [], row: () => undefined }

/**
 * One file per table. The archives of LCDs and of Articles each carry the tables of contractors and states:
 * where the copies differ the first by path is read, and the operator is told.
 */
const chosen = (
  files: ReadonlyArray<InspectedFile>
): {
  readonly tables: ReadonlyMap<string, InspectedFile>
  readonly gaps: ReadonlyArray<string>
} => {
  const copies = Map.groupBy(files, (file) => file.name.replace(/\.csv$/, ""))
  const gaps = [...copies].flatMap(([name, [first, ...others]]) =>
    others.some((other) => other.sha256 !== first?.sha256)
      ? [`${name}.csv comes in copies that differ; the one in ${parentOf(first)} was read.`]
      : []
  )
  const tables = [...copies].flatMap(([name, [first]]) =>
    first === undefined ? [] : [[name, first] as const]
  )
  return { tables: new Map(tables), gaps }
}

const parentOf = (file: InspectedFile | undefined): string => file?.path.split("/").at(-2) ?? "the source"
