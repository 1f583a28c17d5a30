/**
 * The known word that is spelled most nearly like the one asked for; undefined: none is near. Words with
 * digits are codes and short ones have too many neighbors: neither is corrected. Of words equally far the one
 * that shares more trigrams wins, then the first by letters, so that the order never depends on the store.
 */
export const nearestWord = (word: string, known: Iterable<string>): string | undefined => {
  if (word.length < correctedLengthMin || /\p{N}/u.test(word)) return undefined
  const farthest = word.length < longWordMin ? 1 : 2
  const asked = trigrams(word)
  let best: { readonly word: string; readonly far: number; readonly alike: number } | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > farthest) continue
    const far = distance(word, candidate)
    if (far === 0 || far > farthest) continue
    const alike = shared(asked, trigrams(candidate))
    const order = best === undefined ? -1 : far - best.far || best.alike - alike
    if (best === undefined || order < 0 || (order === 0 && candidate < best.word)) {
      best = { word: candidate, far, alike }
    }
  }
  return best?.word
}

/** The text with each of these words in place of the one it corrects, in lower case. */
export const correctSpelling = (text: string, corrections: ReadonlyMap<string, string>): string =>
  text.toLowerCase().replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (word) => corrections.get(word) ?? word)

/** One slip in three letters makes another word. */
const correctedLengthMin = 4

/** Two slips are forgiven in words so long. */
const longWordMin = 6

/** Letters changed, left out, put in or exchanged with their neighbors. */
const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const same = one[at - 1] === other[to - 1]
      const swapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}

/** As pg_trgm takes them. */
const trigrams = (word: string): ReadonlySet<string> => {
  const padded = `  ${word} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)))
}

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((trigram) => other.has(trigram)).length
