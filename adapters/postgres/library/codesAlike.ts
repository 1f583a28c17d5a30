import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CodeRecord, CodeSystem } from "../../../core/coverage/Code.ts"
import { likenessOf } from "../../../core/coverage/suggest.ts"
import { plainText } from "./plainText.ts"

/**
 * The codes among which the best alike are: all that one slip makes of the text, and of those that begin with
 * it or share its words the nearest in length, which is the order in which the kernel ranks them. Plain
 * B-tree and GIN indexes do; the trigram extension may be missing on a managed server.
 */
export const codesAlike = (
  sql: SqlClient,
  query: {
    readonly text: string
    readonly codeSystem: CodeSystem | null
    readonly limit: number
  }
) => {
  const { parents, prefix, slips, words } = likenessOf(plainText(query.text))
  const system = query.codeSystem === null ? sql`true` : sql`code_system = ${query.codeSystem}`
  const from = prefix ?? ""
  return Effect.map(
    sql<{ readonly record: CodeRecord }>`
      (select record from code where code = any(${[...parents, ...slips]}::text[]) and ${system})
      union all
      (select record from code where ${prefix}::text is not null and code >= ${from} and code < ${from + lastCharacter}
        and ${system} order by length(code), code, code_system limit ${query.limit})
      union all
      (select record from code where cardinality(${words}::text[]) > 0 and words @> ${words}::text[] and ${system}
        order by cardinality(words), code, code_system limit ${query.limit})`,
    distinct
  )
}

/** Sorts after every character, so that a prefix is a range of the index. */
const lastCharacter = "\u{10FFFF}"

const distinct = (rows: ReadonlyArray<{ readonly record: CodeRecord }>): ReadonlyArray<CodeRecord> => [
  ...new Map(rows.map(({ record }) => [`${record.codeSystem} ${record.code}`, record])).values()
]
