import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { joinWords } from "../error/fieldName.ts"

/**
 * Names of `include` that clients of the public service send and that no source of ours fills (contract §1):
 * taken, answered without, and told in `meta.includes_unavailable`.
 */
export const unavailableIncludes = [
  "articles",
  "attachments",
  "crosswalks",
  "fee_schedule",
  "images",
  "mue",
  "ncci",
  "ndc_crosswalk",
  "rates",
  "references"
] as const
export type UnavailableInclude = (typeof unavailableIncludes)[number]

/**
 * What an answer is asked to include, as a comma list; order and repetition do not matter. Names of
 * `unavailableIncludes` are taken too and not advertised.
 */
export const includeList = <const Words extends ReadonlyArray<string>>(words: Words) =>
  Schema.String.check(
    Schema.makeFilter((value: string) => splitWords(value).every((word) => isInclude(words, word)), {
      expected: `a comma list of ${joinWords(words, "and")}`,
      allowed: words
    })
  ).pipe(
    Schema.decodeTo(
      Schema.Array(Schema.String) as unknown as Schema.Codec<IncludesOf<Words>, IncludesOf<Words>>,
      SchemaTransformation.transform({
        decode: (value: string) => [...new Set(splitWords(value))] as IncludesOf<Words>,
        encode: (value: ReadonlyArray<string>) => value.join(",")
      })
    )
  )

/** The same as a list of words, where a body may write it so. */
export const includeWords = <const Words extends ReadonlyArray<string>>(words: Words) =>
  Schema.Union([
    includeList(words),
    Schema.Array(
      Schema.String.check(
        Schema.makeFilter((value: string) => isInclude(words, value), {
          expected: joinWords(words, "or"),
          allowed: words
        })
      )
    ) as unknown as Schema.Codec<IncludesOf<Words>, ReadonlyArray<string>>
  ])

type IncludesOf<Words extends ReadonlyArray<string>> = ReadonlyArray<Words[number] | UnavailableInclude>

const isInclude = (words: ReadonlyArray<string>, word: string): boolean =>
  words.includes(word) || isUnavailable(word)

const splitWords = (value: string): ReadonlyArray<string> =>
  value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")

/** What was asked to be included and can be. */
export const servedIncludes = <Word extends string>(
  include: ReadonlyArray<Word> | undefined
): ReadonlySet<Exclude<Word, UnavailableInclude>> =>
  new Set((include ?? []).filter((word): word is Exclude<Word, UnavailableInclude> => !isUnavailable(word)))

/** The part of `meta` that names what was asked to be included and cannot be; empty for most calls. */
export const includesMeta = ({
  body,
  query
}: {
  readonly body: unknown
  readonly query: unknown
}): Readonly<Record<string, unknown>> => {
  const asked = [body, query].flatMap((part) => includeOf(part)).filter(isUnavailable)
  return asked.length === 0 ? nothing : { includes_unavailable: [...new Set(asked)].toSorted() }
}

const nothing = {}

const includeOf = (part: unknown): ReadonlyArray<unknown> =>
  typeof part === "object" && part !== null && "include" in part && Array.isArray(part.include)
    ? part.include
    : []

const isUnavailable = (word: unknown): word is UnavailableInclude =>
  unavailableIncludes.some((name) => name === word)
