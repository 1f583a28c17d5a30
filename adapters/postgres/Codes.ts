import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CodeDescription, CodeRecord, CodeSystem } from "../../core/coverage/Code.ts"
import type { CodeTableFile } from "../../core/coverage/CodeTable.ts"
import {
  codeTablesOf,
  codeTableSystems,
  feeScheduleOn,
  feeTableFacts
} from "../../core/coverage/CodeTable.ts"
import type { FeeScheduleRow } from "../../core/coverage/FeeScheduleRow.ts"
import { descriptionsFrom } from "../../core/coverage/codeText.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { bestAlike, likenessOf } from "../../core/coverage/suggest.ts"
import type { CodeFee } from "../../core/port/Codes.ts"
import { Codes, CodesUnavailable } from "../../core/port/Codes.ts"
import { PipelinedClient, Pool, unavailable } from "./Database.ts"
import { cacheForSecond } from "./library/cacheForSecond.ts"
import { plainText } from "./library/plainText.ts"
import { policiesListing } from "./library/policiesListing.ts"

/**
 * Codes by edition in PostgreSQL: by primary keys over the multiplexed client, all else over the pool. The
 * tables are read at most once a second.
 */
export const layer = Layer.effect(
  Codes,
  Effect.gen(function* () {
    const pool = yield* Pool
    const multiplexed = yield* PipelinedClient
    const away = unavailable((fault) => new CodesUnavailable({ fault }))
    const tables = (yield* cacheForSecond(Effect.map(files(pool), codeTablesOf))).value
    return Codes.of({
      find: (query) =>
        away(Effect.map(editionsOn(multiplexed, query), (records) => inOrderOf(query.codes, records))),
      suggest: (query) =>
        away(Effect.map(codesAlike(pool, query), (candidates) => bestAlike({ ...query, candidates }))),
      policies: (query) => away(policiesListing(pool, query)),
      tables: away(tables),
      fees: ({ asOf, codes }) =>
        away(
          Effect.gen(function* () {
            const found = feeScheduleOn(yield* tables, asOf)
            if (found === undefined) return []
            const rows = yield* feesOf(multiplexed, { snapshotId: found.table.snapshotId, codes })
            return rows.map(({ record }): CodeFee => ({ ...record, ...feeTableFacts(found) }))
          })
        ),
      descriptions: (query) => away(Effect.map(described(pool, query), descriptionsFrom))
    })
  })
)

const inOrderOf = (
  codes: ReadonlyArray<string>,
  records: ReadonlyArray<CodeRecord>
): ReadonlyArray<CodeRecord> => {
  const byCode = Map.groupBy(records, (record) => record.code)
  return [...new Set(codes)].flatMap((code) => byCode.get(code) ?? [])
}

const files = (sql: SqlClient) =>
  sql<CodeTableFile>`select snapshot_id as "snapshotId", kind, source_as_of as "sourceAsOf", edition
    from snapshot where kind = any(${Object.keys(codeTableSystems)}::text[]) order by ordinal`

const feesOf = (
  sql: SqlClient,
  asked: { readonly snapshotId: string; readonly codes: ReadonlyArray<string> }
) =>
  sql<{ readonly record: FeeScheduleRow }>`
    select record from fee_schedule where snapshot_id = ${asked.snapshotId} and modifier = ''
      and code = any(${asked.codes.map(plainText)}::text[]) order by code`

const described = (
  sql: SqlClient,
  query: { readonly codes: ReadonlyArray<string>; readonly asOf: IsoDate }
) =>
  Effect.all(
    {
      documents: sql<CodeDescription>`select code, code_system as "codeSystem", description
        from code_description where code = any(${query.codes.map(plainText)}::text[])`,
      records: editionsOn(sql, { ...query, codeSystem: null })
    },
    { concurrency: 2 }
  )

/**
 * The codes among which the best alike are: all that one slip makes of the text, or of those that share its
 * words the ones with the fewest, which is the order in which the kernel ranks them. Plain B-tree and GIN
 * indexes do; the trigram extension may be missing on a managed server.
 */
export const codesAlike = (
  sql: SqlClient,
  query: {
    readonly text: string
    readonly codeSystem: CodeSystem | null
    readonly limit: number
  }
) => {
  const { codes, words } = likenessOf(plainText(query.text))
  const system = query.codeSystem === null ? sql`true` : sql`code_system = ${query.codeSystem}`
  return Effect.map(
    sql<{ readonly record: CodeRecord }>`
      (select record from code where code = any(${codes}::text[]) and ${system})
      union all
      (select record from code where cardinality(${words}::text[]) > 0 and words @> ${words}::text[] and ${system}
        order by cardinality(words), code, code_system limit ${query.limit})`,
    (rows) => rows.map(({ record }) => record)
  )
}

/**
 * For each code and system the edition that answers for the day, all in one statement by primary key. The
 * order mirrors the kernel's `editionOn`: the last to begin by the day, else the first to come, of one day
 * the newest.
 */
export const editionsOn = (
  sql: SqlClient,
  query: {
    readonly codes: ReadonlyArray<string>
    readonly codeSystem: CodeSystem | null
    readonly asOf: IsoDate
  }
) =>
  Effect.map(
    sql<{ readonly record: CodeRecord }>`
      select distinct on (code, code_system) record from code_edition
      where code = any(${query.codes.map(plainText)}::text[])
        and (${query.codeSystem}::text is null or code_system = ${query.codeSystem})
      order by code, code_system, (first_day <= ${query.asOf}) desc,
        case when first_day <= ${query.asOf} then first_day end desc, first_day, edition desc`,
    (rows) => rows.map((row) => row.record)
  )
