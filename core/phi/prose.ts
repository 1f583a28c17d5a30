import { isFieldNoun } from "./fieldNouns.ts"
import { anyCase, person, words } from "./pieces.ts"
import type { ValueRule } from "./ValueRule.ts"

const given = words(anyCase("full|first|last|middle|given|family|maiden|legal|sur"))
const capitalised = "\\p{Lu}[\\p{L}'.-]{1,24}"

/** Words that follow a title or a cue without being a name. */
const noName: ReadonlySet<string> = new Set(
  [
    "a an and are as at be by can for from has have if in is it may must no none not of on or redacted",
    "required shall should that the there these they this those to unknown was we were when which will with",
    "withheld"
  ].flatMap((line) => line.split(" "))
)

/** The last group is the word that would be the name. */
const namesSomeone = (found: RegExpExecArray): boolean => {
  const name = found.at(-1)?.toLowerCase() ?? ""
  return !noName.has(name) && !isFieldNoun(name.replace(possessive, ""))
}

const possessive = /'s?$|[.]$/

const name = (pattern: string): ValueRule => ({
  kind: "name",
  needs: "break",
  pattern: new RegExp(`(?<![\\p{L}\\d])${pattern}`, "gu"),
  accepts: namesSomeone
})

const address = (pattern: string): ValueRule => ({
  kind: "address",
  needs: "wordAndDigit",
  pattern: new RegExp(`(?<![\\p{L}\\d.,-])${houseNumber} ${pattern}(?![\\p{L}\\d])`, "gu")
})

/** Words that name a street in any writing, and words that do so only after a name with a capital. */
const streets = "street|avenue|boulevard|blvd|lane|parkway|pkwy|turnpike"
const shortStreets =
  "St|Ave|Road|Rd|Drive|Dr|Ln|Court|Place|Pl|Way|Circle|Cir|Terrace|Ter|Square|Highway|Hwy|Trail|Trl|Plaza"

/** A sentence, not a street, goes on with one of these. */
const noLink = "(?!(?:an?|and|as|at|by|each|for|from|in|of|on|or|per|the|to|with|within) )"

/** "Street and highway" is a kind of place. */
const noKind = "(?! (?:and|or) (?:street|highway|road))"

const ordinal = `\\d{1,4}${words(anyCase("st|nd|rd|th"))}`
const houseNumber = "\\d{1,6}[A-Za-z]?(?:-\\d{1,4})?,?"

// Whose name it is, or which of their names.
const anyPerson = anyCase(person)
const owned = `(?:${anyPerson}(?:'?s)? (?:${given} ?)?|${given} ?)`
const streetWord = "[\\p{L}\\d'.-]{1,24}"
const streetName = words("\\p{L}[\\p{L}'.-]{1,24}", ordinal)
const capitalisedName = words(capitalised, ordinal)
const shortStreet = words(shortStreets, shortStreets.toUpperCase())

/**
 * Names and streets, which only their cues tell from other words (phi.md: no name is guessed without one).
 * MR, MRS and MS are also magnetic resonance, its spectroscopy and multiple sclerosis: in capitals they need
 * their dot, and a name in capitals.
 */
export const proseRules: ReadonlyArray<ValueRule> = [
  name("(?:Mrs?|Ms|Mx|Miss) (\\p{Lu}['-]?\\p{L}{1,24})"),
  name(`(?!MRS?\\.|MS\\.|MX\\.)${words(anyCase("mrs?|ms|mx"))}\\. ?(\\p{L}['-]?\\p{L}{1,24})`),
  name("(?:MRS?|MS|MX)\\. ?(\\p{Lu}['-]?\\p{Lu}{1,24})(?!\\p{Ll})"),
  name(`${owned}${anyCase("names?")} ?(?:[:=]|-{1,2}) ?(\\p{L}{2,24})`),
  name(`${owned}${anyCase("name")} (?:${words(anyCase("is|was"))} )?(${capitalised}) ${capitalised}`),
  name(`${anyPerson} ?[:=] ?(${capitalised}),? ${capitalised}`),
  address(`(?:${noLink}${streetWord},? ){0,3}?${noLink}${streetName} ${words(anyCase(streets))}${noKind}`),
  address(`(?:\\p{Lu}[\\p{L}'.-]{0,24} ){0,3}?${capitalisedName} ${shortStreet}`),
  {
    kind: "address",
    needs: "wordAndDigit",
    pattern: /(?<![\p{L}\d])(?:p\.? ?o\.? ?box) \d{1,8}/giu
  }
]
