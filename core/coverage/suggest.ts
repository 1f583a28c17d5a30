import type { CodeRecord, CodeSuggestion } from "./Code.ts"
import { canonicalCode } from "./codeText.ts"

/** What a text may mean by a code, ready to be asked of an index: every code alike is in one of the four. */
export interface Likeness {
  /** Codes that begin with this are alike; null where the text is too short or no code at all. */
  readonly prefix: string | null
  /** The text's own beginnings: `E1165` is near `E11.65X`. */
  readonly parents: ReadonlyArray<string>
  /** Every code that one slip of the hand makes of it. */
  readonly slips: ReadonlyArray<string>
  /** Codes whose description has all of these words are alike; empty: none. */
  readonly words: ReadonlyArray<string>
}

/** How the text might be meant (contract §2, GET /codes/lookup `suggestions`). */
export const likenessOf = (text: string): Likeness => {
  const code = canonicalCode(text)
  const isCode = codeLike.test(code)
  return {
    prefix: isCode ? code : null,
    parents: isCode ? beginnings(code) : [],
    slips: isCode && code.length >= slipCharactersMin ? slips(code) : [],
    words: wordsOf(text).slice(0, wordsMax)
  }
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
 * The codes alike, best first, at most `limit`: a code alike outranks a description alike, a nearer length a
 * farther one, and the code itself breaks ties, so that the order never depends on where the candidates came
 * from.
 */
export const bestAlike = (input: {
  readonly text: string
  readonly candidates: ReadonlyArray<CodeRecord>
  readonly limit: number
}): ReadonlyArray<CodeSuggestion> => {
  const likeness = likenessOf(input.text)
  const near = new Set(likeness.slips)
  return input.candidates
    .flatMap((candidate) => alike(likeness, near, candidate) ?? [])
    .toSorted((a, b) => b.score - a.score || order(a.code, b.code) || order(a.codeSystem, b.codeSystem))
    .slice(0, input.limit)
    .map((suggestion) => ({ ...suggestion, score: Math.round(suggestion.score * 1_000) / 1_000 }))
}

/** Longer texts are no code; a shorter one than two characters would suggest a whole chapter. */
const codeLike = /^[A-Z0-9]{2,11}$/
const slipCharactersMin = 3
const parentCharactersMin = 3
const wordCharactersMin = 3
const wordsMax = 8
const alphabet = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

const alike = (
  likeness: Likeness,
  slipped: ReadonlySet<string>,
  candidate: CodeRecord
): CodeSuggestion | undefined => {
  const byCode = codeScore(likeness, slipped, candidate.code)
  const byWords = wordsScore(likeness, candidate)
  if (byCode === 0 && byWords === 0) return undefined
  const { code, codeSystem, description } = candidate
  const score = Math.max(byCode, byWords)
  return { code, codeSystem, description, score, matchType: byCode > 0 ? "code" : "description" }
}

const codeScore = (likeness: Likeness, slipped: ReadonlySet<string>, code: string): number => {
  const text = likeness.prefix
  if (text === null) return 0
  if (text === code) return 1
  if (slipped.has(code)) return 0.95 - 0.5 / Math.max(text.length, code.length)
  if (code.startsWith(text)) return (0.9 * text.length) / code.length
  return likeness.parents.includes(code) ? (0.9 * code.length) / text.length : 0
}

const wordsScore = (likeness: Likeness, candidate: CodeRecord): number => {
  if (likeness.words.length === 0) return 0
  const words = new Set(wordsOf(candidate.description ?? ""))
  return likeness.words.every((word) => words.has(word)) ? (0.6 * likeness.words.length) / words.size : 0
}

const beginnings = (code: string): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, code.length - parentCharactersMin) }, (_, index) =>
    code.slice(0, parentCharactersMin + index)
  )

/** One character changed, left out, put in, or two neighbours exchanged. */
const slips = (code: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (let at = 0; at <= code.length; at++) {
    const [head, tail] = [code.slice(0, at), code.slice(at)]
    for (const letter of alphabet) {
      found.add(head + letter + tail)
      if (tail !== "") found.add(head + letter + tail.slice(1))
    }
    if (tail !== "") found.add(head + tail.slice(1))
    if (tail.length > 1) found.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2))
  }
  found.delete(code)
  return [...found]
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
