import { Readable } from "node:stream"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emptyTables } from "../../adapters/cms/LoadedTables.ts"
import type { InspectedFile } from "../../adapters/cms/inspect.ts"
import { localTables } from "../../adapters/cms/localTables.ts"
import { readTable } from "../../adapters/cms/readTable.ts"

/** As many rows as the real table of covered diagnoses has, of as many articles and codes. */
const rowCount = 431_120
const articleCount = 2_002
const codeCount = 70_000

const header =
  "article_id,article_version,icd10_code_id,icd10_code_version,icd10_covered_group,range,last_updated," +
  "sort_order,description,asterisk\n"

const codeOf = (index: number): string =>
  `${String.fromCharCode(65 + (index % 20))}${10 + (Math.floor(index / 20) % 80)}.${1000 + (index % 9_000)}`

const rowOf = (index: number): string =>
  `${50_000 + (index % articleCount)},7,${codeOf((index * 7_919) % codeCount)},27,${1 + (index % 3)},N,` +
  `2026-03-12 15:04:05.000000000,${index},"Some description, of a diagnosis, unspecified",N\n`

function* chunks(): Generator<Buffer> {
  yield Buffer.from(header)
  for (let from = 0; from < rowCount; from += 1_000) {
    const to = Math.min(from + 1_000, rowCount)
    yield Buffer.from(Array.from({ length: to - from }, (_, offset) => rowOf(from + offset)).join(""))
  }
}

const table: InspectedFile = {
  name: "article_x_icd10_covered.csv",
  path: "article_x_icd10_covered.csv",
  sha256: "",
  encoding: "utf-8",
  open: async () => Readable.from(chunks())
}

it.live(
  "431,120 rows of diagnoses are read whole, in far less memory than they have characters",
  () =>
    Effect.gen(function* () {
      const gathered = emptyTables()
      const reader = new Map(localTables(gathered, "article")).get("article_x_icd10_covered")
      const heapBytes = process.memoryUsage().heapUsed
      const newest = reader === undefined ? null : yield* readTable(table, reader)
      const records = [...gathered.local.article.values()]
      const groups = records.flatMap((record) => [...record.groups.values()])
      expect([newest, records.length, gathered.placeholders]).toEqual(["2026-03-12", articleCount, 0])
      expect(groups.reduce((total, group) => total + group.codes.size, 0)).toBeGreaterThan(400_000)
      expect((process.memoryUsage().heapUsed - heapBytes) / 1e6).toBeLessThan(250)
    }),
  90_000
)
