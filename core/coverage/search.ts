import { isMedicareId } from "./policyId.ts"

/** How a policy was found: it holds all that was asked for, some of it, or words spelled nearly so. */
export const searchMatches = ["all", "some", "near"] as const
export type SearchMatch = (typeof searchMatches)[number]

/** One thing asked for, in any of several wordings, each of which is all of its words. */
export type SearchTerm = ReadonlyArray<ReadonlyArray<string>>

/** What a text asks for. Both stores read it alike; PostgreSQL also takes words of one stem for one word. */
export interface SearchWords {
  /** All are asked for; words that say nothing beside others (`medicare`, `cover`) are not among them. */
  readonly all: ReadonlyArray<SearchTerm>
  /**
   * Any of these makes a policy hold some of the text: every word, and every term of several words; none
   * where the text is an id.
   */
  readonly some: ReadonlyArray<SearchTerm>
  /** Words with a leading `-`, which nothing found may hold. */
  readonly excluded: ReadonlyArray<string>
}

/** What must be held, all of it, and what must not. */
export type EveryWord = Pick<SearchWords, "all" | "excluded">

/** What else a term may be called, by its folded words; no wordings: it says nothing beside other words. */
export type Synonyms = ReadonlyMap<string, SearchTerm>

/** The table of `term,meanings` as CSV: meanings are joined by `|` and hold no comma. */
export const parseSynonyms = (csv: string): Synonyms =>
  new Map(
    csv
      .split(/\r?\n/)
      .slice(1)
      .filter((line) => line.includes(","))
      .map((line) => {
        const comma = line.indexOf(",")
        const meanings = line.slice(comma + 1).split("|")
        return [keyOf(wordsIn(line.slice(0, comma))), meanings.map(significantWords).filter(isNotEmpty)]
      })
  )

/** What the text asks for, each word or the longest run of words with its synonyms. */
export const searchWords = (text: string, synonyms: Synonyms): SearchWords => {
  const { excluded, terms } = read(text, synonyms)
  const all = terms.filter(({ isFiller }) => !isFiller)
  const parts = terms.flatMap(({ term, words }) => (words.length > 1 ? [term, ...words.map(alone)] : [term]))
  return {
    all: (all.length > 0 ? all : terms).map(({ term }) => term),
    some: isMedicareId(text) ? [] : parts.slice(0, someTermsMax),
    excluded
  }
}

/** The same of every word, also of those that say nothing beside others. */
export const everyWord = (text: string, synonyms: Synonyms): EveryWord => {
  const { excluded, terms } = read(text, synonyms)
  return { all: terms.map(({ term }) => term), excluded }
}

/** The words of a text, in lower case, split at all but letters, digits and inner dots. */
export const wordsIn = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}.]+/u)
    .map((word) => word.replace(/^\.+|\.+$/g, ""))
    .filter((word) => word !== "")

/** Cuts the `s` of a plural. Both sides of a comparison are cut alike, so it need not leave a word. */
export const singular = (word: string): string =>
  word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word

/**
 * How much a word tells of the documents that hold it, when so many do (at most `commonMin` are counted): 0,
 * it is common and tells nothing; else the more the rarer.
 */
export const rarity = (documents: number): number =>
  documents === 0 || documents >= commonMin
    ? 0
    : Math.max(1, Math.round(rarityScale * Math.log(commonMin / documents)))

/** A word of so many documents is common. */
export const commonMin = 250

/** A word that such a share of a document's described procedures has is what the document is about. */
export const subjectShare = 1 / 3

/** A text of more terms finds by all of them; which of them a policy holds is looked at for the first. */
const someTermsMax = 16

/** No term of the table has more words. */
const termWordsMax = 6

/** Tells the word of one document from that of two. */
const rarityScale = 10

const read = (text: string, synonyms: Synonyms) => {
  const words = text
    .split(/\s+/)
    .flatMap((written) =>
      wordsIn(written).map((word) => ({ word, isLeftOut: /^-[\p{L}\p{N}]/u.test(written) }))
    )
  const spoken = (isLeftOut: boolean) =>
    words.filter((each) => each.isLeftOut === isLeftOut).map(({ word }) => word)
  return {
    terms: termsOf(spoken(false), synonyms),
    excluded: spoken(true).filter((word) => !stopWords.has(word))
  }
}

interface FoundTerm {
  readonly term: SearchTerm
  /** Its words as they were asked for. */
  readonly words: ReadonlyArray<string>
  readonly isFiller: boolean
}

const termsOf = (words: ReadonlyArray<string>, synonyms: Synonyms): ReadonlyArray<FoundTerm> => {
  const found: Array<FoundTerm> = []
  for (let at = 0; at < words.length; ) {
    const length = longest(words, at, synonyms)
    const own = words.slice(at, at + Math.max(1, length)).filter((word) => !stopWords.has(word))
    const meanings = length === 0 ? [] : (synonyms.get(keyOf(words.slice(at, at + length))) ?? [])
    const term = [own, ...meanings].filter(isNotEmpty)
    if (term.length > 0) found.push({ term, words: own, isFiller: length > 0 && meanings.length === 0 })
    at += Math.max(1, length)
  }
  return found
}

/** Of how many words the longest term of the table is that begins here; 0: none does. */
const longest = (words: ReadonlyArray<string>, at: number, synonyms: Synonyms): number => {
  for (let length = Math.min(termWordsMax, words.length - at); length > 0; length--) {
    if (synonyms.has(keyOf(words.slice(at, at + length)))) return length
  }
  return 0
}

const keyOf = (words: ReadonlyArray<string>): string => words.map(singular).join(" ")

const significantWords = (text: string): ReadonlyArray<string> =>
  wordsIn(text).filter((word) => !stopWords.has(word))

const alone = (word: string): SearchTerm => [[word]]

const isNotEmpty = (words: ReadonlyArray<string>): boolean => words.length > 0

/** Words that say nothing: those that PostgreSQL's English dictionary leaves out. */
const stopWords = new Set(
  (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her " +
    "hers herself it its itself they them their theirs themselves what which who whom this that these those am " +
    "is are was were be been being have has had having do does did doing a an the and but if or because as until " +
    "while of at by for with about against between into through during before after above below to from up " +
    "down in out on off over under again further then once here there when where why how all any both each " +
    "few more most other some such no nor not only own same so than too very s t can will just don should now"
  ).split(" ")
)
