import type { CoverageStatus, DiagnosisSupport } from "../../../core/coverage/CoverageDecision.ts"
import { holds, localOutcomes, localUnits, statusOf } from "./local.ts"
import { standingOf } from "./outcomes.ts"
import type { AttestedQuestion } from "./outcomes.ts"
import type { NationalTruth, Question, Truth } from "./Truth.ts"

/** What the specification allows for one code of a question: one member where it determines the answer. */
export interface Expectation {
  readonly statuses: ReadonlySet<CoverageStatus>
  readonly supports: ReadonlySet<DiagnosisSupport>
  /** A name that the decision's gaps must hold; null: none is certain. */
  readonly gap: string | null
}

/** Whether the laws L1 to L3 permit `covered`. */
export const mayBeCovered = (truth: Truth, question: AttestedQuestion): boolean =>
  question.codes.every((code) => expectationOf(truth, question, code).statuses.has("covered"))

/** The answers to one code of a question, from what is so (coverage-domain §2.1, rules 3 to 10). */
export const expectationOf = (truth: Truth, question: AttestedQuestion, code: string): Expectation => {
  const outcomes = localOutcomes(truth, question, code)
  const statuses = new Set(outcomes.map(({ rank }) => statusOf[rank]))
  const supports = new Set(outcomes.map(({ support }) => support))
  const gaps = new Set(outcomes.map(({ gap }) => gap))
  const nationals = nationalsOn(truth, question, code)
  const isRefused = refusedByColumn(truth, question, code)
  // A row for a determination that is not in force: whether it ended or is only not at hand is left open.
  const isNamed = truth.nationals.some(({ denies, names }) => [...denies, ...names].includes(code))
  if (nationals.length === 0 && isNamed && statuses.has("covered")) statuses.add("conditional")
  if (nationals.length === 0 && !isRefused && outcomes.length > 0) {
    return { statuses, supports, gap: gaps.size === 1 ? ([...gaps][0] ?? null) : null }
  }
  const silent: ReadonlyArray<DiagnosisSupport> = ["unknown", "not_applicable"]
  return {
    statuses: isRefused
      ? refusedStatuses(nationals)
      : nationals.length === 0
        ? new Set(["unknown"])
        : allTogether(nationals.map((national) => nationalStatuses(national, statuses))),
    supports: new Set([...supports, ...silent]),
    gap: null
  }
}

/** A national determination as it bears on a code. */
interface Bearing {
  readonly level: number | null
  /** `related`: only a local document leads to it. */
  readonly by: "lists" | "denies" | "names" | "related"
  readonly statuses: ReadonlyArray<CoverageStatus>
}

const nationalsOn = (truth: Truth, question: AttestedQuestion, code: string): ReadonlyArray<Bearing> =>
  truth.nationals.flatMap((national) => {
    const by = reachOf(truth, { national, question, code })
    if (by === undefined || !holds(national, question.date)) return []
    const { level } = national
    return [
      {
        level,
        by,
        statuses: by === "lists" ? ownStatuses(national, question) : reachedStatuses(national, by, question)
      }
    ]
  })

const reachOf = (
  truth: Truth,
  {
    national,
    question,
    code
  }: { readonly national: NationalTruth; readonly question: Question; readonly code: string }
): Bearing["by"] | undefined => {
  if (national.level === 3 && national.denies.includes(code)) return "denies"
  if (national.lists.includes(code)) return "lists"
  if (national.names.includes(code) || national.denies.includes(code)) return "names"
  const isRelated = localUnits(truth, question, code).some((unit) =>
    unit.some(({ related }) => related.includes(national.policyId))
  )
  return isRelated ? "related" : undefined
}

/** Rule 4, of a determination that lists the code itself. */
const ownStatuses = (national: NationalTruth, question: AttestedQuestion): ReadonlyArray<CoverageStatus> => {
  const { isUnmet, isViolated, hasMet, isSoft } = standingOf(national.blocks, { question, hasLcd: false })
  switch (national.level) {
    case 1:
      if (isViolated) return ["not_covered", "conditional"]
      if (isUnmet) return ["conditional"]
      return hasMet && !isSoft ? ["covered"] : ["covered", "conditional"]
    case 2:
      if (isViolated) return ["not_covered", "conditional"]
      return question.attested.length > 0 ? ["conditional", "covered"] : ["conditional"]
    case 3:
      return ["not_covered"]
    default:
      return ["unknown"]
  }
}

/**
 * Rule 4, of one that something else leads to: never stronger than conditional, but where a row denies, and
 * where the caller attests to every condition that is left of its text (Attesting).
 */
const reachedStatuses = (
  national: NationalTruth,
  by: Bearing["by"],
  question: AttestedQuestion
): ReadonlyArray<CoverageStatus> => {
  if (by === "denies") return ["not_covered"]
  const { level } = national
  const { isUnmet, isViolated } = standingOf(national.blocks, { question, hasLcd: false })
  const isPositive = level === 1 || level === 2
  if (isPositive && question.attested.length > 0 && !isUnmet && !isViolated) return ["conditional", "covered"]
  return level === 1 || level === 2 || level === 3 ? ["conditional"] : ["unknown"]
}

/** Column 230 refuses the code, within the edition. */
const refusedByColumn = ({ columns, hcpcsEdition }: Truth, { date }: Question, code: string): boolean =>
  hcpcsEdition !== null &&
  holds(hcpcsEdition, date) &&
  columns.some((column) => column.code === code && ["S", "M", "I"].includes(column.letter ?? ""))

/** Below a determination that names the code, above local documents. */
const refusedStatuses = (nationals: ReadonlyArray<Bearing>): ReadonlySet<CoverageStatus> => {
  if (nationals.length === 0) return new Set(["not_covered"])
  return allTogether(
    nationals.map(({ by, statuses }) => {
      if (statuses.every((status) => status === "not_covered")) return statuses
      const unclear: ReadonlyArray<CoverageStatus> = statuses.includes("unknown")
        ? ["not_covered", "conditional", "unknown"]
        : ["not_covered", "conditional"]
      return by === "related" || statuses.includes("unknown") || statuses.includes("not_covered")
        ? unclear
        : ["conditional"]
    })
  )
}

/** One determination over the local documents (rule 9). */
const nationalStatuses = (
  { level, by, statuses }: Bearing,
  local: ReadonlySet<CoverageStatus>
): ReadonlyArray<CoverageStatus> => {
  const isDenial = statuses.every((status) => status === "not_covered")
  if (isDenial) return statuses
  const mayDeny = local.has("not_covered")
  const mustDeny = mayDeny && local.size === 1
  if (statuses.includes("unknown")) {
    const others = [...local].filter((status) => by === "related" || status !== "covered")
    return ["unknown", "conditional", ...others]
  }
  // A structured restriction of the determination itself may deny beside the local documents.
  if (level === 1 && mustDeny)
    return ["conditional", ...statuses.filter((status) => status === "not_covered")]
  const kept = mayDeny ? [...statuses, "conditional" as const] : statuses
  if (level !== 1 && mayDeny) return [...kept, "not_covered"]
  return local.size > 0 && !local.has("covered") ? [...kept, "conditional"] : kept
}

/** Several determinations: `covered` only where each allows it. */
const allTogether = (each: ReadonlyArray<ReadonlyArray<CoverageStatus>>): ReadonlySet<CoverageStatus> =>
  new Set(
    each.flat().filter((status) => status !== "covered" || each.every((one) => one.includes("covered")))
  )
