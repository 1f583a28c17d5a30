import type { CoverageQuery } from "../CoverageDecision.ts"
import type { PriorAuthRule } from "../PriorAuthRule.ts"

/** What a rule that names the code says of a query. */
export type Judgement =
  | { readonly _tag: "Asks" }
  /** In force, but not on this day, at this site or in this state. */
  | { readonly _tag: "DoesNotAsk"; readonly because: "suspended" | "state" | "site" }
  /** The answer hangs on inputs that were not given. */
  | { readonly _tag: "Unsure"; readonly missing: ReadonlyArray<"state" | "site_of_service"> }
  | { readonly _tag: "NotInForce" }

/** Judges one rule on the day, state and site of the query (coverage-domain §2.1, rule 11). */
export const judge = (rule: PriorAuthRule, query: CoverageQuery): Judgement => {
  const day = query.dateOfService
  if (day < rule.effectiveDate || (rule.endDate !== null && day > rule.endDate)) return { _tag: "NotInForce" }
  const suspended = rule.suspended.some(({ from, until }) => from <= day && (until === null || day <= until))
  if (suspended) return { _tag: "DoesNotAsk", because: "suspended" }
  const [state, site] = [stateOf(rule, query), siteOf(rule, query)]
  if (state === "other") return { _tag: "DoesNotAsk", because: "state" }
  if (site === "other") return { _tag: "DoesNotAsk", because: "site" }
  const missing = [
    ...(state === "missing" ? (["state"] as const) : []),
    ...(site === "missing" ? (["site_of_service"] as const) : [])
  ]
  return missing.length === 0 ? { _tag: "Asks" } : { _tag: "Unsure", missing }
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
