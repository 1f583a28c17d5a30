import type { SqlClient } from "effect/sql/SqlClient"
import type { EveryWord, SearchTerm } from "../../../core/coverage/search.ts"

/**
 * Texts that `to_tsquery` reads, of which any is wanted. Each is words that are all wanted, since an index is
 * asked for those in a tenth of the time that it takes for the whole, by the rarest of them.
 */
export type Texts = ReadonlyArray<string>

export type Fragment = ReturnType<typeof inText>

/** All of the terms in any of their wordings, none of the excluded words. */
export const allOf = ({ all, excluded }: EveryWord): Texts => {
  const ways = all.reduce((count, term) => count * term.length, 1)
  const wordings =
    ways > wordingsMax
      ? [all.map((term) => `(${term.map(joined).join(" | ")})`).join(" & ")]
      : all.reduce<Texts>(
          (texts, term) => texts.flatMap((text) => term.map((words) => both(text, joined(words)))),
          [""]
        )
  return wordings.map((text) => withNone(text, excluded)).filter((text) => text !== "")
}

/** Any of the terms in any of its wordings, none of the excluded words. */
export const anyOf = (terms: ReadonlyArray<SearchTerm>, excluded: ReadonlyArray<string>): Texts =>
  terms.flatMap((term) => term.map((words) => withNone(joined(words), excluded)))

/** What a document's own words, title or heading are asked. */
export const inText = (sql: SqlClient, texts: Texts) =>
  sql`to_tsquery('english', ${texts.map((text) => `(${text})`).join(" | ")})`

/**
 * Whether `search` holds any of the texts, with the words of the codes' descriptions, which it has with a `~`
 * before them.
 */
export const holds = (sql: SqlClient, texts: Texts) =>
  texts.length === 0
    ? sql`false`
    : sql.or(
        texts.map(
          (text) => sql`search @@ regexp_replace(to_tsquery('english', ${text})::text, ${anyLexeme},
            ${"('\\1' | '~\\1')"}, 'g')::tsquery`
        )
      )

/** The same of any of its words, for ranks: a rank of all of them is that of the worst. */
export const ofAnyWord = (sql: SqlClient, query: Fragment) =>
  sql`replace(${query}::text, ' & ', ' | ')::tsquery`

/** Terms in more ways than these are asked for as one. */
const wordingsMax = 16

/** As PostgreSQL prints the lexemes of a query. */
const anyLexeme = "'((?:[^']|'')+)'"

const joined = (words: ReadonlyArray<string>): string => words.map(quoted).join(" & ")

const withNone = (text: string, excluded: ReadonlyArray<string>): string =>
  excluded.reduce((all, word) => both(all, `!${quoted(word)}`), text)

const both = (one: string, other: string): string => (one === "" ? other : `${one} & ${other}`)

/** PostgreSQL reads the dash before a number as its sign: `CA 19-9` holds `-9`. */
const quoted = (word: string): string => (/^\d+$/.test(word) ? `('${word}' | '-${word}')` : `'${word}'`)
