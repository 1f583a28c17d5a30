import type { CoverageStatus, TraceStep } from "../CoverageDecision.ts"
import type { Verdict } from "./Verdict.ts"
import { unique } from "./Verdict.ts"

/**
 * How much a status refuses: not_covered > conditional > covered (coverage-domain §2.1, step 5). Unknown is
 * below a condition, which at least says what it takes, and above a coverage that it leaves in doubt.
 */
const refusal: Readonly<Record<CoverageStatus, number>> = {
  not_covered: 3,
  conditional: 2,
  unknown: 1,
  covered: 0
}

/** The most restrictive of the statuses; unknown where there are none. */
export const worstStatus = (statuses: ReadonlyArray<CoverageStatus>): CoverageStatus =>
  statuses.reduce<CoverageStatus | undefined>(
    (worst, status) => (worst === undefined || refusal[status] > refusal[worst] ? status : worst),
    undefined
  ) ?? "unknown"

/**
 * The most restrictive of verdicts that stand side by side; ties decide together. What was looked at stays in
 * the trace, but only those that decide give their gaps, reasons and issues. Verdicts that do not know are
 * outweighed by any that does. Undefined: there are none.
 */
export const mostRestrictive = (verdicts: ReadonlyArray<Verdict>): Verdict | undefined => {
  const [only] = verdicts
  if (only === undefined || verdicts.length === 1) return only
  const known = verdicts.filter((one) => one.status !== "unknown")
  const speaking = known.length === 0 ? verdicts : known
  const status = worstStatus(speaking.map((one) => one.status))
  const decisive = speaking.filter((one) => one.status === status)
  return {
    status,
    ...together(decisive),
    trace: verdicts.flatMap((one) => one.trace),
    deciding: decisive.flatMap((one) => one.deciding)
  }
}

/** What verdicts that decide together lack and rest on: one that rests on text makes them all rest on it. */
export const together = (
  verdicts: ReadonlyArray<Verdict>
): Pick<Verdict, "basis" | "gaps" | "review" | "issues"> => ({
  basis: verdicts.every((one) => one.basis === "structured") ? "structured" : "text",
  gaps: unique(verdicts.flatMap((one) => one.gaps)),
  review: verdicts.some((one) => one.review),
  issues: unique(verdicts.flatMap((one) => one.issues))
})

/** The same verdict, with a step that weighs it against others. */
export const weighed = (one: Verdict, step: TraceStep, rest: Partial<Verdict> = {}): Verdict => ({
  ...one,
  ...rest,
  trace: [...(rest.trace ?? one.trace), step],
  deciding: [...(rest.deciding ?? one.deciding), step]
})

/** Never stronger than conditional: what reaches a code only by inference is for a person to confirm. */
export const atMostConditional = (one: Verdict, step: TraceStep): Verdict =>
  one.status === "conditional" || one.status === "unknown"
    ? one
    : weighed(one, step, { status: "conditional", basis: "text", review: true })
