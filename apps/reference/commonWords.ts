import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The words that `passwordFault` reads. */
export const commonWordsFile = "core/person/commonWords.json"

/** Passwords, the most common first, all in lower case. */
const listUrl = import.meta.resolve("@zxcvbn-ts/language-common/src/passwords.json")

/** Later passwords are rare enough that their words are no first guess. */
const passwordsMax = 10_000

/** Shorter runs of letters inside a password with digits are chance. */
const lettersMin = 4

/** Keeps the file short enough to look through. */
const lineCharactersMax = 100

/** Returns the text of the file: the words of the most common passwords, sorted, many in a line. */
export const commonWordsText = (): string => {
  const passwords: ReadonlyArray<string> = JSON.parse(readFileSync(fileURLToPath(listUrl), "utf8"))
  const words = new Set(passwords.slice(0, passwordsMax).flatMap(wordsOf))
  return `${JSON.stringify(linesOf([...words].toSorted()), null, 2)}\n`
}

const linesOf = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines = [""]
  for (const word of words) {
    const line = `${lines.at(-1) ?? ""} ${word}`.trim()
    if (line.length <= lineCharactersMax) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines
}

/** `abc` as it is; `trustno` of `trustno1`; nothing of `123456`. */
const wordsOf = (password: string): ReadonlyArray<string> =>
  /^[a-z]{3,}$/.test(password)
    ? [password]
    : [...password.matchAll(/[a-z]+/g)]
        .map(([letters]) => letters)
        .filter(({ length }) => length >= lettersMin)

if (import.meta.main) writeFileSync(new URL(`../../${commonWordsFile}`, import.meta.url), commonWordsText())
