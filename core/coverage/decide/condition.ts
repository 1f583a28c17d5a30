import type { Condition, ConditionKind } from "../CoverageDecision.ts"
import { criteriaSections } from "../Policy.ts"
import type { PolicyVersion } from "../Policy.ts"
import { textItems } from "../textItems.ts"

/**
 * A condition in the document's own words (coverage-domain §2.1). Its id changes only with these and with the
 * section that holds them: the same words are another condition among the limitations.
 */
export const conditionOf = (
  policy: PolicyVersion,
  said: {
    readonly text: string
    readonly section: string
    readonly kind: ConditionKind
    readonly position?: number
  }
): Condition => ({
  conditionId: `cond_${digest(`${policy.policy.policyId}\n${placeOf(said.section)}\n${said.text}`)}`,
  text: shownText(said.text, policy.policy.policyId),
  section: said.section,
  policyId: policy.policy.policyId,
  version: policy.version,
  documentVersion: policy.documentVersion,
  kind: said.kind,
  position: said.position ?? 0
})

/** UTF-16 code units of a condition's text on the wire (coverage-domain §2.1, rule 14). */
export const conditionCharactersMax = 2_000

/** The items that fit, then how long the whole text is and where to read it. */
const shownText = (text: string, policyId: string): string => {
  if (text.length <= conditionCharactersMax) return text
  const rest = `[The whole text has ${text.length} characters: read it in policy ${policyId}.]`
  const room = conditionCharactersMax - rest.length - 1
  return `${beginningOf(text, room)}\n${rest}`
}

/** The whole items of the text that fit, else its whole lines, else its whole words. */
const beginningOf = (text: string, room: number): string => {
  for (const parts of [textItems(text), text.split("\n")]) {
    const fitting = fittingParts(parts, room)
    if (fitting !== "") return fitting
  }
  const beginning = text.slice(0, room)
  return beginning.slice(0, Math.max(beginning.lastIndexOf(" "), 1))
}

const fittingParts = (parts: ReadonlyArray<string>, room: number): string => {
  let length = 0
  const end = parts.findIndex((part) => {
    length += part.length + 1
    return length > room
  })
  return parts.slice(0, end === -1 ? parts.length : end).join("\n")
}

/** A section without the number of its block or group, which may change while the text stays. */
const placeOf = (section: string): string => section.replace(/ \([^()]*\)$/, "")

/** Returns each condition once, in the order of policies, sections and texts, whatever the order given. */
export const sortConditions = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  [...new Map(conditions.map((one) => [one.conditionId, one])).values()].toSorted(
    (a, b) =>
      compare(a.policyId, b.policyId) ||
      sectionRank(a) - sectionRank(b) ||
      compare(inOrder(a.section), inOrder(b.section)) ||
      a.position - b.position ||
      compare(a.conditionId, b.conditionId)
  )

/** Criteria in the order of their sections, then the paragraphs of groups. */
const sectionRank = ({ section }: Condition): number => {
  const index = criteriaSections.findIndex((one) => one === section)
  return index === -1 ? criteriaSections.length : index
}

/** The tenth block comes after the ninth. */
const inOrder = (section: string): string => section.replace(/\d+/g, (digits) => digits.padStart(6, "0"))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Returns 64 bits of a text in hexadecimal, by cyrb53 (public domain). They name a text of one policy and
 * guard nothing, so the kernel needs no cryptography for them.
 */
const digest = (text: string): string => {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (low >>> 0).toString(16).padStart(8, "0") + (high >>> 0).toString(16).padStart(8, "0")
}
