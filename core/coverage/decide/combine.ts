import type { PolicyVersion } from "../Policy.ts"
import { mostRestrictive, weighed } from "./restrict.ts"
import type { Verdict } from "./Verdict.ts"
import { stepOf, unique } from "./Verdict.ts"

/** A national determination's verdict of one procedure. */
export interface National {
  readonly policy: PolicyVersion
  /** It lists the code, or a curated list leads to it; false: only a related local document does. */
  readonly isAbout: boolean
  readonly verdict: Verdict
}

/**
 * Medicare's answer: NCD not_covered > NCD > LCD/Article > none, and inside a tier the most restrictive
 * (coverage-domain §2.1, step 5). A determination that is only related is not known to be about the
 * procedure: it keeps a local coverage at conditional, and a local refusal stands beside it. A local refusal
 * never wins against a full national coverage: a person has to look.
 */
export const medicareVerdict = (
  nationals: ReadonlyArray<National>,
  local: Verdict | undefined
): Verdict | undefined => {
  const all = nationals.map((one) => one.verdict)
  const known = nationals.filter((one) => one.verdict.status !== "unknown")
  const about = known.filter((one) => one.isAbout)
  if (known.length === 0) return local === undefined ? mostRestrictive(all) : traced(local, all)
  const chosen = about.length > 0 ? about : known
  const national = mostRestrictive(chosen.map((one) => one.verdict))
  if (national === undefined || local === undefined) return national && traced(national, all)
  const everything = [...all, local]
  if (national.status === "not_covered") return traced(won(national, "combine.ncd_not_covered"), everything)
  const full = chosen.filter((one) => one.policy.coverageLevel === 1)
  if (local.status === "not_covered" && full.length > 0) {
    return traced(conflicting(full, national, local), everything)
  }
  if (about.length > 0) return traced(won(national, "combine.ncd_wins"), everything)
  return traced(mostRestrictive([local, national]) ?? local, everything)
}

/** What a plan's own policies add to Medicare's floor (42 CFR 422.101); either may be missing. */
export const advantageVerdict = (
  floor: Verdict | undefined,
  plan: Verdict | undefined
): Verdict | undefined => {
  if (floor === undefined || plan === undefined) return floor ?? plan
  const isConflict = floor.status === "covered" && plan.status === "not_covered"
  if (!isConflict) return mostRestrictive([floor, plan])
  const law = "which it may not (42 CFR 422.101)."
  const result = `plan_conflicts_with_medicare_floor: the plan's policy refuses what Medicare covers, ${law}`
  return atOdds(floor, plan, { rule: "combine.plan_below_floor", result })
}

const won = (national: Verdict, rule: string): Verdict =>
  weighed(
    national,
    stepOf(null, { rule, result: "The national determination stands before local policies." })
  )

const conflicting = (full: ReadonlyArray<National>, national: Verdict, local: Verdict): Verdict => {
  const names = unique(full.map((one) => one.policy.policy.policyId)).join(", ")
  const result = `local_conflicts_with_ncd: a local policy refuses what ${names} covers fully.`
  return atOdds(national, local, { rule: "combine.local_conflicts_with_ncd", result })
}

const atOdds = (
  upper: Verdict,
  lower: Verdict,
  said: { readonly rule: string; readonly result: string }
): Verdict =>
  weighed(
    {
      status: "conditional",
      basis: upper.basis === "structured" && lower.basis === "structured" ? "structured" : "text",
      gaps: unique([...upper.gaps, ...lower.gaps]),
      review: true,
      issues: unique([...upper.issues, ...lower.issues, said.result]),
      trace: [...upper.trace, ...lower.trace],
      deciding: [...upper.deciding, ...lower.deciding]
    },
    stepOf(null, said)
  )

/** Everything that was looked at stays in the trace, also what did not decide; its own steps come last. */
const traced = (said: Verdict, looked: ReadonlyArray<Verdict>): Verdict => {
  const trace = looked.flatMap((one) => one.trace)
  const known = new Set(trace)
  return { ...said, trace: [...trace, ...said.trace.filter((step) => !known.has(step))] }
}
