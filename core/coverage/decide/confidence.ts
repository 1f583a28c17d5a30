import type { Level } from "../CoverageDecision.ts"
import { levels } from "../CoverageDecision.ts"
import type { Verdict } from "./Verdict.ts"

/**
 * How sure a verdict is (coverage-domain §2.1, step 9): high where structured rules decide and nothing that
 * they ask for is missing, medium where one input is, low where more are, where text alone decides, or where
 * nothing does.
 */
export const confidenceOf = (verdict: Verdict): Level => {
  if (verdict.status === "unknown" || verdict.basis === "text") return "low"
  return verdict.gaps.length === 0 ? "high" : verdict.gaps.length === 1 ? "medium" : "low"
}

/** The lowest; low where there is nothing to be sure of. */
export const leastConfident = (all: ReadonlyArray<Level>): Level =>
  levels.find((level) => all.includes(level)) ?? "low"
