import type { Level } from "../CoverageDecision.ts"
import { levels } from "../CoverageDecision.ts"
import type { Verdict } from "./Verdict.ts"

/**
 * How sure a verdict is (coverage-domain §2.1, rule 12): high where structured facts decide and nothing is
 * missing, medium where they decide one axis and text remains or the caller attested it, low where text alone
 * decides, a gap is named, or nothing is known.
 */
export const confidenceOf = (verdict: Verdict): Level => {
  if (verdict.status === "unknown" || verdict.gaps.length > 0) return "low"
  if (verdict.status === "not_covered") return "high"
  if (verdict.status === "covered") return verdict.isAttested ? "medium" : "high"
  return verdict.support === "supported" || verdict.support === "not_supported" ? "medium" : "low"
}

/** The lowest; low where there is nothing to be sure of. */
export const leastConfident = (all: ReadonlyArray<Level>): Level =>
  levels.find((level) => all.includes(level)) ?? "low"

/**
 * Whether a person has to look (rule 12): text is left unread, something is missing, policies conflict, or
 * nothing is known.
 */
export const needsReview = ({
  conditions,
  gaps,
  status
}: Pick<Verdict, "conditions" | "status"> & {
  readonly gaps: ReadonlyArray<string>
}): boolean =>
  status === "unknown" ||
  gaps.length > 0 ||
  conditions.some((one) => read.includes(one.kind)) ||
  (status === "conditional" && conditions.length === 0)

const read: ReadonlyArray<string> = ["narrative", "role", "frequency", "exclusion"]
