/**
 * Words as both stores understand them: all of a text's words, whole and as written; no stems, no phrases; a
 * leading `-` excludes a word. Words that say nothing are not asked for.
 */
export const askedWords = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !stopWords.has(word))

/** The words that the text holds. */
export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().split(/[^\p{L}\p{N}.]+/u))

/** Whether the words are what is asked for; nothing is found by no word. */
export const holdsAll = (words: ReadonlySet<string>, asked: ReadonlyArray<string>): boolean =>
  asked.length > 0 &&
  asked.every((word) => (word.startsWith("-") ? !words.has(word.slice(1)) : words.has(word)))

const stopWords = new Set(["a", "an", "and", "for", "in", "is", "it", "of", "on", "or", "the", "to", "with"])
