import type { CodeDecision, Level } from "../CoverageDecision.ts"
import { levels } from "../CoverageDecision.ts"

/** The higher of two levels. */
export const higher = (a: Level, b: Level): Level => (levels.indexOf(a) > levels.indexOf(b) ? a : b)

/** The lower of two levels. */
export const lower = (a: Level, b: Level): Level => (levels.indexOf(a) < levels.indexOf(b) ? a : b)

/** The highest of the levels; none is low. */
export const highest = (all: ReadonlyArray<Level>): Level => all.reduce(higher, "low")

/**
 * Returns how likely a payer is to deny a line (coverage-domain §2.1, rule 12). A request at rule level does
 * not show whether an authorization is held, so a required one counts as missing. Only a covered line without
 * a gap is a low risk: a condition that is neither met nor attested may be why the payer denies it.
 */
export const riskOf = (
  { knownGaps, status }: Pick<CodeDecision, "status" | "knownGaps">,
  priorAuthRequired: boolean | null
): Level => {
  if (status === "not_covered" || priorAuthRequired === true) return "high"
  return status === "covered" && knownGaps.length === 0 && priorAuthRequired === false ? "low" : "medium"
}

/** Nothing that has an issue, of whatever kind, is a low risk (rule 12). */
export const riskWith = (risk: Level, issues: ReadonlyArray<string>): Level =>
  issues.length === 0 ? risk : higher(risk, "medium")

/** Confidence of a decision whose prior authorization may be unknown: a gap that is named leaves it low. */
export const confidenceWith = (confidence: Level, priorAuthRequired: boolean | null): Level =>
  priorAuthRequired === null ? "low" : confidence
