import { valueRules } from "./identifiers.ts"
import type { Kind } from "./kinds.ts"
import { readingsOf } from "./normalize.ts"
import { signs } from "./signs.ts"
import type { Sign } from "./signs.ts"
import type { ValueRule } from "./ValueRule.ts"

/** How a text is looked at: whether bare digits in it may be an identifier (phi.md, Values). */
export interface DigitRule {
  readonly bareDigits: "identifying" | "expected"
}

/** The kinds of identifier that a text holds, each once; nothing of the text itself is kept. */
export const identifiersIn = (text: string, reading: DigitRule): ReadonlyArray<Kind> => {
  if (text.length < shortest && plainShort.test(text)) return none
  const [first = none, ...others] = readingsOf(text).map((written) => kindsIn(written, reading))
  return others.length === 0 ? first : [...new Set([first, ...others].flat())]
}

const none: ReadonlyArray<Kind> = []

/** No identifier is shorter, the street and the name of two letters included. */
const shortest = 6
const plainShort = /^[\x20-\x7e]*$/

const kindsIn = (text: string, { bareDigits }: DigitRule): ReadonlyArray<Kind> => {
  const seen = signsIn(text)
  if (seen.length === 0) return none
  let found: Array<Kind> | undefined
  for (const rule of valueRules) {
    if (!seen.includes(rule.needs) || (rule.bare === true && bareDigits === "expected")) continue
    if (found?.includes(rule.kind) !== true && matches(rule, text)) found = [...(found ?? []), rule.kind]
  }
  return found ?? none
}

const signNames = Object.keys(signs) as ReadonlyArray<Sign>
const signsIn = (text: string): ReadonlyArray<Sign> => signNames.filter((name) => signs[name](text))

const matches = ({ pattern, accepts }: ValueRule, text: string): boolean => {
  if (accepts === undefined) return text.search(pattern) !== -1
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (accepts(match)) return true
  }
  return false
}
