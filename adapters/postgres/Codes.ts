import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CodeDescription, CodeRecord } from "../../core/coverage/Code.ts"
import type { CodeTableFile } from "../../core/coverage/CodeTable.ts"
import { codeTablesOf, codeTableSystems, feeScheduleOn } from "../../core/coverage/CodeTable.ts"
import { descriptionsFrom } from "../../core/coverage/codeText.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { FeeScheduleRow } from "../../core/coverage/FeeScheduleRow.ts"
import { bestAlike } from "../../core/coverage/suggest.ts"
import type { CodeFee } from "../../core/port/Codes.ts"
import { Codes, CodesUnavailable } from "../../core/port/Codes.ts"
import { PipelinedClient, Pool, unavailable } from "./Database.ts"
import { codesAlike } from "./library/codesAlike.ts"
import { editionsOn } from "./library/editionsOn.ts"
import { plainText } from "./library/plainText.ts"
import { policiesListing } from "./library/policiesListing.ts"
import { cacheForSecond } from "./library/cacheForSecond.ts"

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
            const { judges, table } = found
            const rows = yield* feesOf(multiplexed, { snapshotId: table.snapshotId, codes })
            return rows.map(({ record }): CodeFee => ({ ...record, edition: table.name, judges }))
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
