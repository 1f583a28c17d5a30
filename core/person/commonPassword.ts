import commonWordLines from "./commonWords.json" with { type: "json" }

/**
 * Whether the password, in lower case, is one or two common words with a few digits, signs and letters around
 * them, in any order. Rows of neighboring keys count as one sign. Three words are a passphrase.
 */
export const isCommonPassword = (folded: string): boolean =>
  isDecorated(folded) || isDecorated(withoutRepeats(folded))

/**
 * Words that make no passphrase, however many of them: those that most stolen lists start with, and the API's
 * own.
 */
export const firstWords: ReadonlyArray<string> = [
  ...["password", "passwort", "passwd", "pass", "passphrase", "qwerty", "qwertz", "azerty", "letmein"],
  ...["welcome", "iloveyou", "admin", "administrator", "root", "user", "login", "test", "default", "guest"],
  ...["changeme", "secret", "master", "monkey", "dragon", "football", "baseball", "sunshine", "princess"],
  ...["superman", "starwars", "whatever", "trustno", "hello", "abc", "coverage", "policy", "api", "medicare"],
  ...["my", "the", "this", "is", "new"]
]

/** Words of our customers' work, which a list of everyone's passwords lacks. */
const fieldWords = [
  ...["hospital", "clinic", "doctor", "nurse", "health", "healthcare", "medicaid", "medical", "insurance"],
  ...["payer", "provider", "patient", "claims", "claim", "billing", "coding", "pharmacy"]
]

/** With three, the words are hard enough to guess. */
const commonWordsMax = 2

const commonWords = commonWordLines.flatMap((line) => line.split(" "))

/** What a word ends in, or an initial; more letters belong to a word that is not common. */
const strayLettersMax = 2

/** As many as a date of birth has. */
const straySignsMax = 8

/** The longest common word has 13 letters. Longer rows of keys count as several. */
const pieceCharactersMax = 13

/** Shorter ones are in many words and numbers. */
const keyRowCharactersMin = 4

/** Words that join others; they make a password no harder to guess. */
const fillers = ["my", "the", "this", "is", "new"]

/** Rows and columns of a keyboard and its number pad, and the alphabet. */
const keyRows = [
  ...[
    "01234567890",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "azertyuiop"
  ],
  ...["1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p"],
  ...["qazwsxedcrfvtgbyhnujmikolp", "zaqxswcdevfrbgtnhymju", "zaq12wsxcde34rfvbgt56yhnmju78ik"],
  ...[
    "qazxswedcvfrtgbnhyujm",
    "zaq1xsw2cde3vfr4bgt5nhy6mju7",
    "1qazxsw23edcvfr45tgbnhy6",
    "qweasdzxc",
    "qweasdyxc"
  ],
  ...["147258369", "741852963", "789456123", "159753"]
]

/** What a piece of a password adds: a common word, or a stray letter, or a stray digit or sign. */
interface Cost {
  readonly words: number
  readonly letters: number
  readonly signs: number
}

const free: Cost = { words: 0, letters: 0, signs: 0 }
const word: Cost = { ...free, words: 1 }
const letter: Cost = { ...free, letters: 1 }
const sign: Cost = { ...free, signs: 1 }

const rowPieces = (row: string): ReadonlyArray<string> =>
  Array.from(row, (_, start) =>
    Array.from({ length: pieceCharactersMax }, (_, index) => row.slice(start, start + index + 1))
  )
    .flat()
    .filter(({ length }) => length >= keyRowCharactersMin)

const backwards = (text: string): string => [...text].toReversed().join("")

const pieces: ReadonlyMap<string, Cost> = new Map([
  ...[...commonWords, ...firstWords, ...fieldWords].map((text) => [text, word] as const),
  ...keyRows.flatMap((row) => [row, backwards(row)].flatMap(rowPieces)).map((text) => [text, sign] as const),
  ...fillers.map((text) => [text, free] as const)
])

/** Signs that are written for letters. `1` is read both ways. */
export const lettersOfSigns: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  $: "s",
  "5": "s",
  "0": "o",
  "1": "i",
  "!": "i",
  "3": "e",
  "7": "t"
}

/** Digits that share a key with a sign. */
const digitsOfSigns = {
  "!": "1",
  "@": "2",
  "#": "3",
  $: "4",
  "%": "5",
  "^": "6",
  "&": "7",
  "*": "8",
  "(": "9"
}

const rewritten = (text: string, table: Readonly<Record<string, string>>): string =>
  Array.from(text.split(""), (character) => table[character] ?? character).join("")

/**
 * The first is the text itself. Every spelling has the length of the text, so that a piece of one is found in
 * its place.
 */
const spellingsOf = (folded: string): ReadonlySet<string> =>
  new Set([
    folded,
    rewritten(folded, lettersOfSigns),
    rewritten(folded, { ...lettersOfSigns, "1": "l" }),
    rewritten(folded, digitsOfSigns)
  ])

/** `summersummer!!` as `summer!!`: a word that is written again adds nothing. */
const withoutRepeats = (folded: string): string => {
  const letters = folded.replaceAll(/\P{L}/gu, "")
  const unit = letters.slice(0, (letters + letters).indexOf(letters, 1))
  return unit.length < letters.length ? unit + folded.replaceAll(/\p{L}/gu, "") : folded
}

/**
 * The fewest stray signs in the text up to each place, by the common words and stray letters used so far. A
 * table of all ways, so the time grows with the length of the text alone.
 */
const isDecorated = (folded: string): boolean => {
  const spellings = [...spellingsOf(folded)]
  const ways = Array.from({ length: folded.length + 1 }, () => new Map<string, Cost>())
  ways[0]?.set("0 0", free)
  for (const [start, before] of ways.entries())
    for (const { length, cost } of before.size === 0 ? [] : piecesAt(spellings, start))
      for (const way of before.values()) record(ways[start + length], plus(way, cost))
  return ways.at(-1)?.size !== 0
}

const plus = (way: Cost, cost: Cost): Cost => ({
  words: way.words + cost.words,
  letters: way.letters + cost.letters,
  signs: way.signs + cost.signs
})

const record = (ways: Map<string, Cost> | undefined, way: Cost): void => {
  if (way.words > commonWordsMax || way.letters > strayLettersMax || way.signs > straySignsMax) return
  const place = `${way.words} ${way.letters}`
  if (way.signs < (ways?.get(place)?.signs ?? Number.POSITIVE_INFINITY)) ways?.set(place, way)
}

const piecesAt = (
  spellings: ReadonlyArray<string>,
  start: number
): ReadonlyArray<{ readonly length: number; readonly cost: Cost }> => {
  const [folded = ""] = spellings
  if (start >= folded.length) return []
  const lengths = Array.from(
    { length: Math.min(pieceCharactersMax, folded.length - start) },
    (_, index) => index + 1
  )
  const known = lengths.flatMap((length) =>
    spellings.flatMap((spelling) => {
      const cost = pieces.get(spelling.slice(start, start + length))
      return cost === undefined ? [] : [{ length, cost }]
    })
  )
  return [...known, { length: 1, cost: strayCost(folded, start) }]
}

/** The third of the same characters, and those after it, add nothing. Two are often chance. */
const strayCost = (folded: string, start: number): Cost => {
  if (folded[start] === folded[start - 1] && folded[start] === folded[start - 2]) return free
  return /[\p{L}\p{M}\p{Cs}]/u.test(folded[start] ?? "") ? letter : sign
}
