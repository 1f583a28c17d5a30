import type { PolicyVersion } from "../Policy.ts"
import { curatedCovers } from "./curated.ts"
import type { PolicyReading } from "./document.ts"
import { saidOf } from "./document.ts"
import { atMostConditional, mostRestrictive } from "./restrict.ts"
import { limited } from "./restriction.ts"
import type { Verdict } from "./Verdict.ts"
import { stepOf, verdict } from "./Verdict.ts"

/**
 * How a national determination reaches a procedure. MCD gives NCDs no list of codes: one that lists it itself
 * was stated by its source; else only a curated list or a related local document leads to it.
 */
export type Reach = "listed" | "curated" | "related"

/** How the NCD reaches the code, if it does; `locals`: the local documents that list it here. */
export const reachOf = (
  ncd: PolicyReading,
  code: string,
  locals: ReadonlyArray<PolicyReading>
): Reach | undefined => {
  if (ncd.listed.has(code)) return "listed"
  const { policyId } = ncd.policy.policy
  if (curatedCovers(policyId, code)) return "curated"
  return locals.some(({ policy }) => isRelated(policy, ncd.policy)) ? "related" : undefined
}

/** Whichever of the two says so. */
const isRelated = (a: PolicyVersion, b: PolicyVersion): boolean => names(a, b) || names(b, a)

const names = ({ related }: PolicyVersion, { policy }: PolicyVersion): boolean =>
  related.some((one) => one.policyId === policy.policyId)

/**
 * The verdict of a national determination by its level (coverage-domain §2.1, step 4), never stronger than
 * conditional unless it lists the code itself, in either direction: a document that cites a refusal is not
 * refused by it. Its own conditions and diagnoses, where it has any, stand beside its level.
 */
export const nationalVerdict = (ncd: PolicyReading, code: string | null, reach: Reach): Verdict => {
  const { firm, rules } = saidOf(ncd, code)
  const level = levelVerdict(ncd.policy)
  const said =
    level.status === "unknown" ? level : limited(mostRestrictive([level, ...firm, ...rules]) ?? level, [ncd])
  if (reach === "listed") return said
  const result =
    reach === "curated"
      ? "The determination reaches the code by a curated list, never stronger than conditional."
      : "A related local document leads to the determination, never stronger than conditional."
  return atMostConditional(said, stepOf(ncd.policy, { rule: `ncd.${reach}`, result }))
}

const levelVerdict = (policy: PolicyVersion): Verdict => {
  const step = (result: string) => [stepOf(policy, { rule: "ncd.level", result, section: "coverage level" })]
  switch (policy.coverageLevel) {
    case 1:
      return verdict("covered", step("The national determination covers it fully (level 1)."))
    case 2:
      return verdict(
        "conditional",
        step("The national determination covers it under the conditions of its text (level 2)."),
        { basis: "text", review: true }
      )
    case 3:
      return verdict("not_covered", step("The national determination does not cover it (level 3)."))
    default:
      return verdict("unknown", step("The national determination states no defined level of coverage."), {
        basis: "text"
      })
  }
}
