import type { PolicyVersion } from "../Policy.ts"
import type { DiagnosisGroup } from "./DiagnosisGroup.ts"
import { written } from "./DiagnosisGroup.ts"
import type { Verdict } from "./Verdict.ts"
import { stepOf, verdict } from "./Verdict.ts"

/**
 * What the groups of supporting diagnoses say for the given ones: covered, or conditional where each of them
 * carries an asterisk or waits for a second diagnosis. Undefined: none is listed.
 */
export const supportOf = (
  policy: PolicyVersion,
  covered: ReadonlyArray<DiagnosisGroup>,
  diagnoses: ReadonlyArray<string>
): Verdict | undefined => {
  const listing = covered.filter((one) => one.hits.length > 0)
  if (listing.length === 0) return undefined
  // An asterisk holds for the pair as for either of its diagnoses.
  const unmarked = covered.map(withoutMarked)
  const plain = unmarked.filter((one) => one.hits.length > 0 && isPaired(one, unmarked, diagnoses))
  if (plain.length > 0) return supported(policy, plain)
  const paired = listing.filter((one) => isPaired(one, covered, diagnoses))
  return paired.length > 0 ? marked(policy, paired) : single(policy, listing)
}

const withoutMarked = (one: DiagnosisGroup): DiagnosisGroup => ({
  ...one,
  hits: one.hits.filter((entry) => !entry.asterisk)
})

/**
 * Whether the second diagnosis that a group's role asks for is there: one of another group, which itself may
 * not be secondary to a secondary one, and where no other group could give it, any other diagnosis at all.
 */
const isPaired = (
  one: DiagnosisGroup,
  covered: ReadonlyArray<DiagnosisGroup>,
  diagnoses: ReadonlyArray<string>
): boolean => {
  if (one.role === "any" || one.role === "primary") return true
  const partners = covered.filter(
    (other) => other !== one && (one.role === "both_required" || other.role !== "secondary")
  )
  if (partners.length === 0) return diagnoses.length > 1
  return partners.some((other) =>
    other.hits.some((theirs) => one.hits.some((ours) => ours.code !== theirs.code))
  )
}

const supported = (policy: PolicyVersion, groups: ReadonlyArray<DiagnosisGroup>): Verdict =>
  verdict(
    "covered",
    groups.map((one) =>
      stepOf(policy, {
        rule: "article.dx_covered",
        result: `${written(one.hits)} supports the procedure (group ${one.group.group}).`,
        group: one.group.group,
        section
      })
    )
  )

const marked = (policy: PolicyVersion, groups: ReadonlyArray<DiagnosisGroup>): Verdict =>
  verdict(
    "conditional",
    groups
      .map((one) => ({ ...one, hits: one.hits.filter((entry) => entry.asterisk) }))
      .filter((one) => one.hits.length > 0)
      .map((one) =>
        stepOf(policy, {
          rule: "article.dx_asterisk",
          result:
            `${written(one.hits)} supports the procedure only as its asterisk says` +
            (one.group.asteriskText === null ? "." : `: ${one.group.asteriskText}`),
          group: one.group.group,
          section
        })
      ),
    { review: true, basis: "text" }
  )

const single = (policy: PolicyVersion, groups: ReadonlyArray<DiagnosisGroup>): Verdict =>
  verdict(
    "conditional",
    groups.map((one) =>
      stepOf(policy, {
        rule: "article.dx_second_missing",
        result: `${written(one.hits)} supports the procedure only beside a second diagnosis, not given.`,
        group: one.group.group,
        section
      })
    ),
    { gaps: ["diagnosis_codes"] }
  )

const section = "diagnosis codes that support medical necessity"
