import type { CoverageQuery } from "../CoverageDecision.ts"
import type { PriorAuthRule } from "../PriorAuthRule.ts"

/** What a rule that names the code says of a query. */
export type Judgement =
  | { readonly _tag: "Asks" }
  /** Everything that keeps the rule from asking. */
  | { readonly _tag: "DoesNotAsk"; readonly because: ReadonlyArray<Obstacle> }
  /** The answer hangs on inputs that were not given. */
  | { readonly _tag: "Unsure"; readonly missing: ReadonlyArray<MissingInput> }

export type MissingInput = "state" | "site_of_service" | "procedure_codes"

/** Another day than the rule's, a suspension of it, another state, another site, or other codes beside it. */
export type Obstacle = "date" | "suspended" | "state" | "site" | "with_codes"

/** Judges one rule on the day, state, site and other codes of the query (coverage-domain §2.1, rule 11). */
export const judge = (rule: PriorAuthRule, query: CoverageQuery): Judgement => {
  const [state, site, others] = [stateOf(rule, query), siteOf(rule, query), othersOf(rule, query)]
  const because: ReadonlyArray<Obstacle> = [
    ...daysAgainst(rule, query),
    ...(state === "other" ? (["state"] as const) : []),
    ...(site === "other" ? (["site"] as const) : []),
    ...(others === "other" ? (["with_codes"] as const) : [])
  ]
  if (because.length > 0) return { _tag: "DoesNotAsk", because }
  const missing = [
    ...(state === "missing" ? (["state"] as const) : []),
    ...(site === "missing" ? (["site_of_service"] as const) : []),
    ...(others === "missing" ? (["procedure_codes"] as const) : [])
  ]
  return missing.length === 0 ? { _tag: "Asks" } : { _tag: "Unsure", missing }
}

/**
 * Returns how far a rule is from asking: a rule for other states is the furthest, then one for other days,
 * other sites, and other codes beside it. The nearest rule of a list gives its reason.
 */
export const distanceOf = (judgement: Judgement): number =>
  judgement._tag === "DoesNotAsk"
    ? judgement.because.reduce((sum, obstacle) => sum + distances[obstacle], 0)
    : 0

/** Powers of two: no two sets of obstacles are equally far but by suspension. */
const distances: Readonly<Record<Obstacle, number>> = {
  with_codes: 1,
  site: 2,
  suspended: 4,
  date: 4,
  state: 8
}

const daysAgainst = (
  { effectiveDate, endDate, suspended }: PriorAuthRule,
  { dateOfService: day }: CoverageQuery
): ReadonlyArray<Obstacle> => {
  if (day < effectiveDate || (endDate !== null && day > endDate)) return ["date"]
  return suspended.some(({ from, until }) => from <= day && (until === null || day <= until))
    ? ["suspended"]
    : []
}

type Fit = "within" | "other" | "missing"

/** A place that is a MAC jurisdiction of several states does not say which. */
const stateOf = (rule: PriorAuthRule, { place }: CoverageQuery): Fit => {
  if (rule.states === "all") return "within"
  if (place === null || place.states.length === 0) return "missing"
  const { states } = rule
  if (place.states.every((state) => states.includes(state))) return "within"
  return place.states.some((state) => states.includes(state)) ? "missing" : "other"
}

const siteOf = (rule: PriorAuthRule, { siteOfService }: CoverageQuery): Fit => {
  if (rule.sites === "all") return "within"
  if (siteOfService === null) return "missing"
  return rule.sites.includes(siteOfService) ? "within" : "other"
}

/** A code asked about alone leaves open what it is billed with. */
const othersOf = ({ codes, withCodes }: PriorAuthRule, { procedureCodes }: CoverageQuery): Fit => {
  if (withCodes === undefined) return "within"
  const others = procedureCodes.filter((code) => !codes.includes(code))
  if (others.length === 0) return "missing"
  return others.some((code) => withCodes.includes(code)) ? "within" : "other"
}
