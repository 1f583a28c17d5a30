import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CodeRecord, CodeSystem } from "../../../core/coverage/Code.ts"
import { likenessOf } from "../../../core/coverage/suggest.ts"
import { plainText } from "./plainText.ts"

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
