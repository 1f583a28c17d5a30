import type { CodeRecord, CodeSuggestion } from "./Code.ts"
import { canonicalCode, codeSystemsLike } from "./codeText.ts"

/** What a text may mean, ready to be asked of an index: as a code or as words, never both. */
export interface Likeness {
  /** The text as a code, and every code that one slip of the hand makes of it. */
  readonly codes: ReadonlyArray<string>
  /** Codes whose description has all of these words are alike; empty where the text is a code. */
  readonly words: ReadonlyArray<string>
}

/** How the text might be meant (contract §2, GET /codes/lookup `suggestions`). */
export const likenessOf = (text: string): Likeness => {
  const code = codeIn(text)
  if (code === undefined) return { codes: [], words: wordsOf(text).slice(0, wordsMax) }
  return { codes: [code, ...slips(code).keys()], words: [] }
}

/** The words of a description by which a code is found: lower case, at least three characters, each once. */
export const wordsOf = (text: string): ReadonlyArray<string> => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length >= wordCharactersMin)
  )
]

/**
 * Returns the codes alike, best first, at most `limit`. For a code: codes with its first character, which is
 * the section or chapter (coverage-domain §2.1, rule 1), those of its likeliest shape first, and a late slip
 * before an early one; the code itself breaks ties, so the order does not depend on the order of the
 * candidates. For words: the shorter the description, the nearer.
 */
export const bestAlike = (input: {
  readonly text: string
  readonly candidates: ReadonlyArray<CodeRecord>
  readonly limit: number
}): ReadonlyArray<CodeSuggestion> => {
  const score = scoreCandidates(input.text)
  const matchType = codeIn(input.text) === undefined ? "description" : "code"
  return input.candidates
    .map((candidate) => ({ candidate, score: score(candidate) }))
    .filter((alike) => alike.score > 0)
    .toSorted((a, b) => b.score - a.score || order(keyOf(a.candidate), keyOf(b.candidate)))
    .slice(0, input.limit)
    .map(({ candidate: { code, codeSystem, description }, score: exact }) => {
      return { code, codeSystem, description, matchType, score: Math.round(exact * 1_000) / 1_000 }
    })
}

/** Longer texts are no code, and one slip in two characters is another code. */
const codeLike = /^[A-Z0-9]{3,11}$/
const wordCharactersMin = 3
const wordsMax = 8
const alphabet = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

/**
 * How likely each typing error is: `early` is subtracted in full at the first character and hardly at the
 * last. `laterShape` is subtracted for each likelier shape of the text, and `noShape` if the text does not
 * have the shape of the code at all.
 */
const likelihood = { same: 1, exchanged: 0.95, length: 0.9, changed: 0.85, words: 0.6 }
const unlikelihood = { early: 0.3, laterShape: 0.4, noShape: 0.5 }

/** Letters that are read for digits. */
const lookAlikes: ReadonlySet<string> = new Set(["O0", "D0", "Q0", "I1", "L1", "Z2", "S5", "G6", "B8"])

/** A code is one word with a digit, dots and hyphens aside; everything else is words. */
const codeIn = (text: string): string | undefined => {
  const bare = canonicalCode(text).replace(/[.-]/g, "")
  return codeLike.test(bare) && /\d/.test(bare) ? bare : undefined
}

const scoreCandidates = (text: string): ((candidate: CodeRecord) => number) => {
  const code = codeIn(text)
  if (code === undefined) {
    const { words } = likenessOf(text)
    return (candidate) => wordsScore(words, candidate)
  }
  const near = slips(code)
  const shapes = codeSystemsLike(text)
  return (candidate) => {
    if (candidate.code === code) return likelihood.same
    const likely = near.get(candidate.code)
    if (likely === undefined) return 0
    const rank = shapes.indexOf(candidate.codeSystem)
    return likely - (rank === -1 ? unlikelihood.noShape : rank * unlikelihood.laterShape)
  }
}

const wordsScore = (wanted: ReadonlyArray<string>, candidate: CodeRecord): number => {
  if (wanted.length === 0) return 0
  const words = new Set(wordsOf(candidate.description ?? ""))
  return wanted.every((word) => words.has(word)) ? (likelihood.words * wanted.length) / words.size : 0
}

/**
 * Returns every code with one character after the first changed, left out or put in, or two neighbors
 * exchanged, with how likely each is. A letter is changed for a letter and a digit for a digit, except those
 * that look alike.
 */
const slips = (code: string): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  const add = (slip: string, kind: "exchanged" | "length" | "changed", at: number): void => {
    const likely = likelihood[kind] - unlikelihood.early * (1 - at / code.length)
    if (slip !== code && likely > (found.get(slip) ?? 0)) found.set(slip, likely)
  }
  for (let at = 1; at <= code.length; at++) {
    const [head, tail] = [code.slice(0, at), code.slice(at)]
    const rest = tail.slice(1)
    for (const letter of alphabet) {
      add(head + letter + tail, "length", at)
      if (tail !== "" && isMistaken(tail.charAt(0), letter)) add(head + letter + rest, "changed", at)
    }
    if (tail !== "") add(head + rest, "length", at)
    if (tail.length > 1) add(head + rest.charAt(0) + tail.charAt(0) + rest.slice(1), "exchanged", at)
  }
  return found
}

const isMistaken = (one: string, other: string): boolean =>
  /\d/.test(one) === /\d/.test(other) || lookAlikes.has(one + other) || lookAlikes.has(other + one)

const keyOf = ({ code, codeSystem }: CodeRecord): string => `${code} ${codeSystem}`

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
