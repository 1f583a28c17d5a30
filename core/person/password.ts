import { firstWords, isCommonPassword, lettersOfSigns } from "./commonPassword.ts"

/**
 * In characters of UTF-16, as the library that hashes passwords counts them. No kinds of characters are asked
 * for: a few words are good (contract §3).
 */
export const passwordCharacters = { min: 12, max: 128 } as const

/** Why a password is not taken: its length, or that it is among the first that anybody would try. */
export type PasswordFault = "too_short" | "too_long" | "repeated" | "run" | "own_email" | "well_known"

/** What a form says of each. */
export const passwordSays: Readonly<Record<PasswordFault, string>> = {
  too_short: `Use at least ${passwordCharacters.min} characters.`,
  too_long: `Use at most ${passwordCharacters.max} characters.`,
  repeated: "This repeats the same few characters. Use a few words instead.",
  run: "This is a row of neighbouring characters, as 123456 and qwerty are. Use a few words instead.",
  own_email: "This is your own e-mail address or its beginning. Use a few words instead.",
  well_known:
    "This is a well-known password or only one or two common words. Use a few unrelated words instead."
}

/**
 * Undefined: the password is taken. It is never trimmed: a space is a character like any other. `email` is
 * the account's own address; undefined where it is not known.
 */
export const passwordFault = (password: string, email?: string): PasswordFault | undefined => {
  if (password.length < passwordCharacters.min) return "too_short"
  if (password.length > passwordCharacters.max) return "too_long"
  const folded = password.toLowerCase()
  if (unitOf(folded).length <= repeatedCharactersMax) return "repeated"
  if (isRun(folded)) return "run"
  if (email !== undefined && isOwn(folded, email.toLowerCase())) return "own_email"
  return isWellKnown(folded) || isCommonPassword(folded) ? "well_known" : undefined
}

/** `abcdabcdabcd` is no better than `abcd`. */
const repeatedCharactersMax = 4

/** Begun anew where they end, and read from either side. */
const rows = [
  "0123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "1q2w3e4r5t6y7u8i9o0p"
]

/** Fewer letters in a row are chance. */
const rowLettersMin = 4

/** The shortest part that the whole is made of. */
const unitOf = (text: string): string => text.slice(0, (text + text).indexOf(text, 1))

/** A row from anywhere on, over its end, or backwards; digits around it change little. */
const isRun = (folded: string): boolean => {
  const core = coreOf(folded)
  return isRow(folded) || (core.length >= rowLettersMin && isRow(core))
}

const isRow = (text: string): boolean => {
  const backwards = [...text].toReversed().join("")
  return rows.some((row) => endless(row).includes(text) || endless(row).includes(backwards))
}

const endless = (row: string): string => row.repeat(Math.ceil(passwordCharacters.max / row.length) + 1)

const isOwn = (folded: string, email: string): boolean => {
  const [local = ""] = email.split("@")
  const core = coreOf(folded)
  return folded === email || core === coreOf(email) || (core !== "" && core === coreOf(local))
}

/** Passphrases that are too famous, without their spaces. */
const famousPhrases: ReadonlySet<string> = new Set([
  ...["correcthorsebatterystaple", "tobeornottobe", "tobeornottobethatisthequestion", "maytheforcebewithyou"],
  ...[
    "thequickbrownfox",
    "thequickbrownfoxjumps",
    "thequickbrownfoxjumpsoverthelazydog",
    "loremipsumdolorsitamet"
  ],
  ...["loremipsumdolor", "maryhadalittlelamb", "onceuponatime", "twinkletwinklelittlestar"],
  ...["iamthewalrus", "livelongandprosper", "weareanonymous", "winteriscoming", "allyourbasearebelongtous"]
])

const isWellKnown = (folded: string): boolean =>
  famousPhrases.has(coreOf(folded)) ||
  knownAlone.test(coreOf(folded)) ||
  knownAlone.test(coreOf(withoutSigns(folded)))

const knownAlone = new RegExp(`^(?:${firstWords.join("|")})+$`)

/** The letters, and the digits between them: digits and signs around a word hide it from nobody. */
const coreOf = (folded: string): string =>
  folded.replaceAll(/[^\p{L}\p{N}]/gu, "").replaceAll(/^\p{N}+|\p{N}+$/gu, "")

/** `p@ssw0rd1234` as `password`: the signs that stand for letters, once those around the word are gone. */
const withoutSigns = (folded: string): string =>
  folded
    .replaceAll(/[^\p{L}@$]+$|^[^\p{L}@$]+/gu, "")
    .replaceAll(/[@4$5013]/g, (sign) => lettersOfSigns[sign] ?? sign)
