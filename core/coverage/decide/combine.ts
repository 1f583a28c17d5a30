import type { DiagnosisSupport } from "../CoverageDecision.ts"
import { sortConditions } from "./condition.ts"
import type { National } from "./national.ts"
import { conflictVerdict } from "./national.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { bestSupport, stepOf, mergeVerdicts, unique, unknownVerdict, withStep } from "./Verdict.ts"

/** What Medicare's tiers say of one procedure; absent: the tier says nothing. */
export interface MedicareTiers {
  readonly nationals: ReadonlyArray<National>
  readonly statute: Verdict | undefined
  readonly local: Verdict | undefined
}

/**
 * Medicare's answer: NCD explicit denial > NCD > statute column > local documents (coverage-domain §2.1, rule
 * 9). A determination that is only related is not known to be about the procedure: it keeps a local coverage
 * at conditional, and a local denial stands beside it unless its level is 1 (0015).
 */
export const medicareVerdict = ({ local, nationals, statute }: MedicareTiers): Verdict | undefined => {
  const known = nationals.filter((one) => one.verdict.status !== "unknown")
  const about = known.filter((one) => one.reach !== "related")
  const related = known.filter((one) => one.reach === "related")
  const looked = nationals.map((one) => one.verdict)
  const found =
    about.length > 0
      ? aboutVerdict(about, { statute, local })
      : (statute ?? relatedVerdict(related, local) ?? (looked.length > 0 ? undecided(looked) : undefined))
  if (found === undefined) return undefined
  const rest = [...looked, ...(local === undefined ? [] : [local])]
  const isOpen = nationals.some((one) => one.verdict.status === "unknown")
  const isOpenFor = found.status === "covered" || found.status === "conditional"
  const said = isOpen && isOpenFor ? undefinedLevel(found) : found
  return traced({ ...said, support: supportOver(found, local) }, rest)
}

/** Determinations that are known to be about the procedure. */
const aboutVerdict = (
  about: ReadonlyArray<National>,
  { local, statute }: Pick<MedicareTiers, "local" | "statute">
): Verdict => {
  const denial = about.find((one) => one.verdict.status === "not_covered")
  if (denial !== undefined) return won(denial.verdict)
  const national = weakest(about.map((one) => one.verdict))
  if (statute !== undefined) {
    return conflictVerdict(national, statute, {
      rule: "combine.hcpcs_conflicts_with_ncd",
      result: `hcpcs_conflicts_with_ncd: HCPCS excludes a code that ${namesOf(about)} speaks of.`
    })
  }
  if (local === undefined || local.status === "unknown") return won(national)
  if (local.status === "not_covered") return againstLocal(about, national, local)
  const isFull = about.every((one) => one.reach === "listed" && one.verdict.status === "covered")
  return isFull ? won(national) : weakest([national, local])
}

/** A local denial never wins against a determination; against full coverage a person has to look. */
const againstLocal = (about: ReadonlyArray<National>, national: Verdict, local: Verdict): Verdict => {
  const full = about.filter((one) => one.policy.coverageLevel === 1)
  if (full.length > 0) return conflicting(about, national, local)
  return won({
    ...national,
    status: "conditional",
    isExplicit: false,
    gaps: unique<Gap>([...national.gaps, "conflicting_policies"])
  })
}

/** Determinations that only a local document leads to. */
const relatedVerdict = (
  related: ReadonlyArray<National>,
  local: Verdict | undefined
): Verdict | undefined => {
  if (related.length === 0 || local === undefined) return local
  const national = weakest(related.map((one) => one.verdict))
  if (local.status !== "not_covered") return weakest([national, local])
  const full = related.filter((one) => one.policy.coverageLevel === 1)
  return full.length > 0 ? conflicting(full, national, local) : local
}

/** What a plan's own policies add to Medicare's floor (42 CFR 422.101); either may be missing. */
export const advantageVerdict = (
  floor: Verdict | undefined,
  plan: Verdict | undefined
): Verdict | undefined => {
  if (floor === undefined || plan === undefined) return floor ?? plan
  const isConflict = floor.status === "covered" && plan.status === "not_covered"
  if (!isConflict) {
    return { ...weakest([floor, plan]), support: bestSupport([floor.support, plan.support]) }
  }
  const law = "which it may not (42 CFR 422.101)."
  const result = `plan_conflicts_with_medicare_floor: the plan's policy refuses what Medicare covers, ${law}`
  return conflictVerdict(floor, plan, { rule: "combine.plan_below_floor", result })
}

/** Verdicts that all must hold: a denial first, then what is conditional, with the conditions of all. */
const weakest = (verdicts: ReadonlyArray<Verdict>): Verdict => {
  const [first, ...others] = verdicts.toSorted((a, b) => rank[a.status] - rank[b.status])
  if (first === undefined || others.length === 0) return first ?? unknownVerdict
  if (first.status === "not_covered" || first.status === "unknown") {
    return { ...first, trace: verdicts.flatMap((one) => one.trace) }
  }
  const all = mergeVerdicts(verdicts)
  return {
    ...first,
    ...all,
    conditions: sortConditions(all.conditions),
    deciding: verdicts.filter((one) => one.status === first.status).flatMap((one) => one.deciding)
  }
}

const rank = { not_covered: 0, conditional: 1, unknown: 2, covered: 3 } as const

/** Determinations without a defined level: they are told of and decide nothing. */
const undecided = (looked: ReadonlyArray<Verdict>): Verdict => ({
  ...unknownVerdict,
  deciding: looked.flatMap((one) => one.deciding)
})

/** A determination that nobody can read stands above what covers: not knowing is no coverage (L2). */
const undefinedLevel = (found: Verdict): Verdict =>
  withStep(
    found,
    stepOf(null, {
      rule: "combine.ncd_level_undefined",
      result: "A national determination about the code states no defined level of coverage."
    }),
    { status: "conditional", gaps: unique<Gap>([...found.gaps, "coverage_level"]) }
  )

/** Everything that was looked at stays in the trace, also what did not decide; its own steps come last. */
const traced = (said: Verdict, looked: ReadonlyArray<Verdict>): Verdict => {
  const trace = looked.flatMap((one) => one.trace)
  const known = new Set(trace)
  return { ...said, trace: [...trace, ...said.trace.filter((step) => !known.has(step))] }
}

const won = (national: Verdict): Verdict =>
  withStep(
    national,
    stepOf(null, {
      rule: "combine.ncd_wins",
      result: "The national determination stands before the HCPCS table and local policies."
    })
  )

const conflicting = (about: ReadonlyArray<National>, national: Verdict, local: Verdict): Verdict =>
  conflictVerdict(national, local, {
    rule: "combine.local_conflicts_with_ncd",
    result: `local_conflicts_with_ncd: a local policy refuses what ${namesOf(about)} covers.`
  })

const namesOf = (nationals: ReadonlyArray<National>): string =>
  unique(nationals.map((one) => one.policy.policy.policyId)).join(", ")

/** Where what decides does not speak of diagnoses, the local documents do. */
const supportOver = (found: Verdict, local: Verdict | undefined): DiagnosisSupport =>
  found.support === "not_applicable" ? (local?.support ?? "not_applicable") : found.support
