import type { Condition, ConditionKind } from "../CoverageDecision.ts"
import type { PolicyVersion } from "../Policy.ts"

/**
 * A condition in the document's own words (coverage-domain §2.1). Its id changes only with these and with the
 * section that holds them: the same words are another condition among the limitations.
 */
export const conditionOf = (
  policy: PolicyVersion,
  said: { readonly text: string; readonly section: string; readonly kind: ConditionKind }
): Condition => ({
  conditionId: `cond_${digest(`${policy.policy.policyId}\n${placeOf(said.section)}\n${said.text}`)}`,
  text: said.text,
  section: said.section,
  policyId: policy.policy.policyId,
  version: policy.version,
  documentVersion: policy.documentVersion,
  kind: said.kind
})

/** A section without the number of its block or group, which may change while the text stays. */
const placeOf = (section: string): string => section.replace(/ \([^()]*\)$/, "")

/** Each once, by policy, section and id, so that no order of the input shows. */
export const sortConditions = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  [...new Map(conditions.map((one) => [one.conditionId, one])).values()].toSorted(
    (a, b) =>
      compare(a.policyId, b.policyId) ||
      compare(inOrder(a.section), inOrder(b.section)) ||
      compare(a.conditionId, b.conditionId)
  )

/** The tenth block comes after the ninth. */
const inOrder = (section: string): string => section.replace(/\d+/g, (digits) => digits.padStart(6, "0"))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * 106 bits in hexadecimal of a text, by two runs of cyrb53 (public domain). It names a text and guards
 * nothing, so that the kernel needs no cryptography for it.
 */
const digest = (text: string): string => halfDigest(text, 0) + halfDigest(text, 0x9e3779b9)

const halfDigest = (text: string, seed: number): string => {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (low >>> 0).toString(16).padStart(8, "0") + (high >>> 0).toString(16).padStart(8, "0")
}
