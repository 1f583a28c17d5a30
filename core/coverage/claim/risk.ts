import type { CoverageStatus, Level } from "../CoverageDecision.ts"
import { levels } from "../CoverageDecision.ts"

/** The higher of two levels. */
export const higher = (a: Level, b: Level): Level => (levels.indexOf(a) > levels.indexOf(b) ? a : b)

/** The lower of two levels. */
export const lower = (a: Level, b: Level): Level => (levels.indexOf(a) < levels.indexOf(b) ? a : b)

/** The highest of the levels; none is low. */
export const highest = (all: ReadonlyArray<Level>): Level => all.reduce(higher, "low")

/** How likely coverage alone lets a payer deny (coverage-domain §2.1, step 9). */
export const coverageRisk: Readonly<Record<CoverageStatus, Level>> = {
  not_covered: "high",
  conditional: "medium",
  unknown: "medium",
  covered: "low"
}

/**
 * The risk of coverage and prior authorization together. Where authorization is needed a request at rule
 * level cannot show that it was given, so the risk is that of its absence.
 */
export const riskOf = (status: CoverageStatus, priorAuthRequired: boolean | null): Level =>
  higher(coverageRisk[status], priorAuthRequired === true ? "high" : "low")

/** Confidence of a decision whose prior authorization may be unknown: that is one answer missing. */
export const confidenceWith = (confidence: Level, priorAuthRequired: boolean | null): Level =>
  priorAuthRequired === null ? lower(confidence, "medium") : confidence
