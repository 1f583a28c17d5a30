import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CodeRecord, CodeSystem } from "../../../core/coverage/Code.ts"
import type { IsoDate } from "../../../core/coverage/date.ts"
import { plainText } from "./plainText.ts"

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
