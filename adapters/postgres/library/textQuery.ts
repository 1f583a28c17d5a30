import type { SqlClient } from "effect/sql/SqlClient"
import type { EveryWord, SearchTerm } from "../../../core/coverage/search.ts"

/** A text that `to_tsquery` reads: all of the terms, none of the excluded words. */
export const allOf = ({ all, excluded }: EveryWord): string => withNone(all.map(anyWording), excluded)

/** The same of texts that are read already: all of them, none of the words. */
export const withNone = (texts: ReadonlyArray<string>, excluded: ReadonlyArray<string>): string =>
  [...texts, ...excluded.map((word) => `!${quoted(word)}`)].join(" & ")

/** A text that `to_tsquery` reads: any of the terms. */
export const anyOf = (terms: ReadonlyArray<SearchTerm>): string =>
  terms.length === 0 ? "" : `(${terms.map(anyWording).join(" | ")})`

/** Which documents' own words answer the text. */
export const inText = (sql: SqlClient, text: string) => sql`to_tsquery('english', ${text})`

/**
 * Which documents' words answer it together with those of their codes' descriptions, which `search` holds
 * with a `~` before them.
 */
export const inCodesToo = (sql: SqlClient, text: string) =>
  sql`regexp_replace(to_tsquery('english', ${text})::text, ${anyLexeme}, ${"('\\1' | '~\\1')"}, 'g')::tsquery`

/** The same of any of its words, for ranks: a rank of all of them is that of the worst. */
export const ofAnyWord = (sql: SqlClient, query: Fragment) =>
  sql`replace(${query}::text, ' & ', ' | ')::tsquery`

export type Fragment = ReturnType<typeof inText>

/** As PostgreSQL prints the lexemes of a query. */
const anyLexeme = "'((?:[^']|'')+)'"

const anyWording = (term: SearchTerm): string =>
  `(${term.map((words) => words.map(quoted).join(" & ")).join(" | ")})`

/** PostgreSQL reads the dash before a number as its sign: `CA 19-9` holds `-9`. */
const quoted = (word: string): string => (/^\d+$/.test(word) ? `('${word}' | '-${word}')` : `'${word}'`)
