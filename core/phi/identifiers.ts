import type { ValueRule } from "./ValueRule.ts"
import {
  afterCue,
  dateText,
  hicnTail,
  ipAddress,
  joint,
  numberWord,
  person,
  joinGroups,
  token,
  words
} from "./pieces.ts"
import { proseRules } from "./prose.ts"

/** What separates the groups of a number that is recognized anywhere, without a cue. */
const delimited = "[-_ \u00b7]{1,3}"
const mbiDelimited = "[-_. \u00b7]{1,3}"

const socialSecurity = ["(?!000|666|9)\\d{3}", "(?!00)\\d{2}", "(?!0000)\\d{4}"]

const taxpayer = ["9\\d{2}", "(?:5\\d|6[0-5]|7\\d|8[0-8]|9[0-24-9])", "\\d{4}"]

const taxCue = words(
  "ssn",
  "ss ?#",
  "s\\.s\\.n",
  "soc(?:ial)?\\.? sec(?:urity)?",
  "i?tin",
  "tax(?:payer)? id"
)

const phoneCue = words("phone", "tel(?:ephone)?", "call", "fax", "mobile", "cell", "ph", "sms", "text")

// The letters of a Medicare Beneficiary Identifier: none that is taken for a digit.
const letter = "[ac-hjkmnp-rt-y]"

const letterOrDigit = "[ac-hjkmnp-rt-y0-9]"

const mbi = [`[1-9]${letter}${letterOrDigit}\\d`, `${letter}${letterOrDigit}\\d`, `${letter}{2}\\d{2}`]

const anywhere = (pattern: string): RegExp => new RegExp(`(?<!\\d)${pattern}(?!\\d)`, "gi")

const asWord = (pattern: string): RegExp => new RegExp(`(?<![a-z0-9])${pattern}(?![a-z0-9])`, "gi")

const after = (cue: string, pattern: string): RegExp => new RegExp(`${afterCue(cue)}${pattern}`, "gi")

/** The whole value, or after a cue word: all that bare digits may be judged by. */
const alone = (groups: ReadonlyArray<string>, cue: string): RegExp =>
  new RegExp(
    [
      `^ ?${words(joinGroups(groups, ""), joinGroups(groups, "[./]"))} ?$`,
      `${afterCue(cue)}${joinGroups(groups, joint)}(?!\\d)`
    ].join("|"),
    "gi"
  )

/** The rules for values, a row each (phi.md, Values). */
export const valueRules: ReadonlyArray<ValueRule> = [
  {
    kind: "mbi",
    needs: "fiveDigits",
    pattern: asWord(words(joinGroups(mbi, ""), joinGroups(mbi, mbiDelimited)))
  },
  {
    kind: "hicn",
    needs: "nineDigits",
    pattern: new RegExp(
      `(?<!\\d)${words(
        joinGroups(socialSecurity, delimited),
        `(?<![a-z])${joinGroups(socialSecurity, "")}`
      )}${hicnTail}`,
      "gi"
    )
  },
  {
    kind: "ssn",
    needs: "nineDigits",
    pattern: anywhere(`${joinGroups(socialSecurity, delimited)}(?!${hicnTail})`)
  },
  { kind: "ssn", needs: "nineDigits", bare: true, pattern: alone(socialSecurity, taxCue) },
  { kind: "itin", needs: "nineDigits", pattern: anywhere(joinGroups(taxpayer, delimited)) },
  { kind: "itin", needs: "nineDigits", bare: true, pattern: alone(taxpayer, taxCue) },
  {
    kind: "phone",
    needs: "nineDigits",
    pattern: anywhere(
      words(
        "(?:\\+?1[-. ]{0,2})?\\([2-9]\\d{2}\\)[-. ]{0,2}[2-9]\\d{2}[-. ]{0,2}\\d{4}",
        "(?:\\+?1[-. ]{0,2})?[2-9]\\d{2}[-./ ]{1,3}[2-9]\\d{2}[-. ]{1,3}\\d{4}",
        "\\+1[2-9]\\d{2}[2-9]\\d{6}"
      )
    )
  },
  {
    kind: "phone",
    needs: "nineDigits",
    bare: true,
    pattern: alone(["(?:\\+1)?[2-9]\\d{2}[2-9]\\d{6}"], phoneCue),
    accepts: ([text]) => !isNpi(digitsOf(text).slice(-10))
  },
  {
    kind: "email",
    needs: "at",
    pattern: /[\p{L}\p{N}.%+_"'-]@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu,
    accepts: (found) => !isInAuthority(found)
  },
  { kind: "ip", needs: "wordAndDigit", pattern: after("ip(?:v[46])?(?: ?addr(?:ess)?)?", ipAddress) },
  {
    kind: "dob",
    needs: "wordAndDigit",
    pattern: after(
      words("d\\.?o\\.?b", "date of birth", "birth ?date", "birth ?day", "born(?: on)?"),
      dateText
    )
  },
  {
    kind: "mrn",
    needs: "wordAndDigit",
    pattern: after(
      words("mrn", "mr ?#", `(?:med(?:ical)? rec(?:ord)?|chart) ?(?:${numberWord}|(?=[:#=]))`),
      token
    )
  },
  {
    kind: "member_id",
    needs: "wordAndDigit",
    pattern: after(`(?:${person}|medicare|medicaid|policyholder)(?:'?s)? ?${numberWord}`, token)
  },
  {
    kind: "account",
    needs: "wordAndDigit",
    pattern: after(`(?:(?:account|acct)\\.? ?(?:${numberWord}|(?=[:#=]))|acct\\.?|account(?= \\d{6}))`, token)
  },
  ...proseRules
]

/** `user@host` right after `//` is part of an address on the web, which may be sent. */
const isInAuthority = ({ input, index }: RegExpExecArray): boolean => {
  const before = input.slice(Math.max(0, index - userinfoMax), index + 1)
  const start = before.lastIndexOf("//")
  return start !== -1 && !/[\s/?#]/.test(before.slice(start + 2))
}

const userinfoMax = 128

/** The digits of a match, whatever stands between them. */
export const digitsOf = (text: string): string => text.replace(/\D/g, "")

/** Whether the ten digits pass as a National Provider Identifier: Luhn's sum after the prefix 80840. */
export const isNpi = (digits: string): boolean => {
  if (digits.length !== 10) return false
  let sum = prefixSum
  for (let index = 0; index < 10; index++) {
    const digit = Number(digits[index])
    const doubled = index % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** What 80840 adds to the sum of any number of ten digits after it. */
const prefixSum = 24
