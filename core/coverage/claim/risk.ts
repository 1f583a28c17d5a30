import type { CodeDecision, Level } from "../CoverageDecision.ts"
import { levels } from "../CoverageDecision.ts"

/** The higher of two levels. */
export const higher = (a: Level, b: Level): Level => (levels.indexOf(a) > levels.indexOf(b) ? a : b)

/** The lower of two levels. */
export const lower = (a: Level, b: Level): Level => (levels.indexOf(a) < levels.indexOf(b) ? a : b)

/** The highest of the levels; none is low. */
export const highest = (all: ReadonlyArray<Level>): Level => all.reduce(higher, "low")

/**
 * How likely a payer is to deny a line (coverage-domain §2.1, rule 12). Whether an authorization is held a
 * request at rule level cannot show, so the risk is that of its absence. A status that is not known is no low
 * risk, though nothing speaks against it: not knowing is no comfort.
 */
export const riskOf = (
  { diagnosisSupport, status }: Pick<CodeDecision, "status" | "diagnosisSupport">,
  priorAuthRequired: boolean | null
): Level => {
  if (status === "not_covered" || priorAuthRequired === true) return "high"
  const isSupported = diagnosisSupport === "supported" || diagnosisSupport === "not_applicable"
  return isSupported && status !== "unknown" && priorAuthRequired === false ? "low" : "medium"
}

/** Nothing that has an issue, of whatever kind, is a low risk (rule 12). */
export const riskWith = (risk: Level, issues: ReadonlyArray<string>): Level =>
  issues.length === 0 ? risk : higher(risk, "medium")

/** Confidence of a decision whose prior authorization may be unknown: a gap that is named leaves it low. */
export const confidenceWith = (confidence: Level, priorAuthRequired: boolean | null): Level =>
  priorAuthRequired === null ? "low" : confidence
