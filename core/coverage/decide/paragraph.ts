import type { DiagnosisRole } from "../Policy.ts"
import { anyOf } from "./anyOf.ts"

/** Whether a paragraph names the procedure code, by itself or within a range. */
export type Names = (code: string) => boolean

/**
 * The procedure codes that a paragraph names: `93303`, `J0585-J0588`, `93303 through 93308`, `codes X, Y and
 * Z`. Null: it names none. `unreadable`: it excludes some, which must not be read as including them.
 */
export const namesIn = (paragraph: string): Names | "unreadable" | null => {
  if (excludesProcedures.test(paragraph)) return "unreadable"
  const singles = new Set<string>()
  const ranges: Array<readonly [string, string]> = []
  for (const match of paragraph.toUpperCase().replaceAll(otherNumbers, " ").matchAll(procedureMention)) {
    const [, first = "", last] = match
    singles.add(first)
    if (last === undefined) continue
    singles.add(last)
    if (family(first) === family(last) && first < last) ranges.push([first, last])
  }
  if (singles.size === 0) return null
  return (code) => singles.has(code) || ranges.some((range) => isWithin(code, range))
}

/**
 * What a paragraph says a second diagnosis means (coverage-domain §2, role); undefined: nothing. A text that
 * speaks of a primary and a secondary diagnosis asks for both.
 */
export const roleIn = (paragraph: string): DiagnosisRole | undefined => {
  if (bothRequired.test(paragraph)) return "both_required"
  const secondary = asSecondary.test(paragraph)
  if (secondary && asPrimary.test(paragraph)) return "both_required"
  if (secondary || beside.test(paragraph)) return "secondary"
  return asPrimary.test(paragraph) ? "primary" : undefined
}

/** The groups that a paragraph asks for together: `one code from Group 1 and one from Group 2`. */
export const groupsTogether = (paragraph: string): ReadonlyArray<number> =>
  bothRequired.test(paragraph)
    ? [...paragraph.matchAll(/\bgroups?\s+(\d{1,3})/gi)].map((match) => Number(match[1]))
    : []

const procedure = String.raw`([A-Z]\d{4}|\d{4}[0-9A-Z])`
const dash = String.raw`\s*(?:-|–|—|\bTHROUGH\b|\bTHRU\b|\bTO\b)\s*`
/** Numbers that are named as something else: `Change Request 11755`. */
export const otherNumbers = new RegExp(
  String.raw`\b(?:CHANGE REQUEST|CR|TRANSMITTAL|TN|SECTION|PUB(?:LICATION)?\.?|ARTICLE|LCD|NCD)` +
    String.raw`\s*(?:NO\.?|NUMBER|#)?\s*[A-Z]?\d[\w.-]*`,
  "g"
)
/** A code or a range, which is no part of a longer number nor of a diagnosis. */
export const procedureMention = new RegExp(
  String.raw`(?<![0-9A-Z.])${procedure}(?:${dash}${procedure})?(?![0-9A-Z]|\.\d)`,
  "g"
)

/** `all codes except 93303`, `not for CPT 93303`: the excluding words stand right before the code. */
const excludesProcedures = new RegExp(
  String.raw`\b(?:except(?:ing)?(?: for)?|excluding|excludes?|other than|not (?:about|for)|do(?:es)? not apply to|` +
    String.raw`not applicable to)(?: the| and| following|,|:| cpt| hcpcs|/| level ii| procedures?| codes?| \(s\))*` +
    String.raw`\s*(?:[A-Z]\d{4}|\d{4}[0-9A-Z])(?![0-9A-Z]|\.\d)`,
  "i"
)

const bothRequired = anyOf(
  String.raw`\bfrom group \d+\b[^.]{0,200}?(?:,|\b(?:and|with|plus|in addition to)\b)[^.]{0,200}?\bgroup \d+`,
  String.raw`\bgroup \d+ (?:diagnosis|code)\b[^.]{0,80}\b(?:and|with|plus)\b[^.]{0,40}\bgroup \d+ (?:diagnosis|code)\b`,
  String.raw`\bgroup \d+\b[^.]{0,40}\bfor (?:the |a )?secondary\b`,
  String.raw`\bdual diagnos[ie]s\b`,
  String.raw`\bboth an? \w+ diagnosis and\b`
)

const asSecondary = anyOf(
  String.raw`\bsecondary diagnos[ie]s`,
  String.raw`\bsecondary (?:icd-10(?:-cm)? )?codes?\b`,
  String.raw`\b(?:as|is|are) (?:an? |the )?secondary\b`
)

/** These codes stand beside a primary one and are not primary themselves. */
const beside = anyOf(
  String.raw`\b(?:with|accompanied by|in addition to) (?:an?|the|one|another)(?: \w+)? primary\b`,
  String.raw`\b(?:not|never) be (?:reported|used|billed|coded|listed) (?:as (?:an? |the )?primary|alone)`,
  String.raw`\bnot (?:an? )?(?:stand[- ]?alone|primary) (?:diagnosis|code)`
)

const asPrimary = anyOf(
  String.raw`\b(?:as|is|are|be) (?:an? |the )?(?:(?:listed|reported) )?(?:as )?(?:an? |the )?primary\b`,
  String.raw`\bprimary diagnos[ie]s (?:code )?must\b`
)

const family = (code: string): string =>
  /^[A-Z]/.test(code) ? code.charAt(0) : code.slice(4).replace(/\d/, "#")

const isWithin = (code: string, [first, last]: readonly [string, string]): boolean =>
  family(code) === family(first) && first <= code && code <= last
