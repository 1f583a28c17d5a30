import type { PolicyId, PolicyType, PolicyVersion } from "../Policy.ts"
import type { PolicyReading } from "./document.ts"

/** Documents that are weighed as one: an LCD and the articles that speak of how to bill it. */
export type Unit = ReadonlyArray<PolicyReading>

/**
 * Groups readings into units (coverage-domain §2.1, step 5): each article joins every LCD that it relates to,
 * whichever of the two says so; whatever else is there stands alone.
 */
export const unitsOf = (readings: ReadonlyArray<PolicyReading>): ReadonlyArray<Unit> => {
  const byId = new Map(readings.map((one) => [one.policy.policy.policyId, one] as const))
  const pairs = readings.flatMap((one) => related(one.policy).flatMap((id) => pairOf(one, byId.get(id))))
  const its = Map.groupBy(pairs, ({ lcd }) => lcd)
  const joined = new Set(pairs.map(({ article }) => article))
  return readings
    .filter((one) => !joined.has(one))
    .map((one) => [one, ...inOrder(its.get(one)?.map(({ article }) => article) ?? [])])
}

/** Whether the two are an LCD and an article of which one names the other. */
export const isUnit = (lcd: PolicyReading, article: PolicyReading): boolean =>
  isA(lcd, "LCD") &&
  isA(article, "Article") &&
  (related(lcd.policy).includes(article.policy.policy.policyId) ||
    related(article.policy).includes(lcd.policy.policy.policyId))

interface Pair {
  readonly lcd: PolicyReading
  readonly article: PolicyReading
}

const pairOf = (one: PolicyReading, other: PolicyReading | undefined): ReadonlyArray<Pair> => {
  if (other === undefined) return []
  if (isA(one, "LCD") && isA(other, "Article")) return [{ lcd: one, article: other }]
  return isA(one, "Article") && isA(other, "LCD") ? [{ lcd: other, article: one }] : []
}

const isA = ({ policy }: PolicyReading, type: PolicyType): boolean => policy.policy.policyType === type

const related = (policy: PolicyVersion): ReadonlyArray<PolicyId> => policy.related.map((one) => one.policyId)

/** Each once, by id: either or both of two documents may say that they belong together. */
const inOrder = (articles: ReadonlyArray<PolicyReading>): ReadonlyArray<PolicyReading> =>
  [...new Set(articles)].toSorted((a, b) => (a.policy.policy.policyId < b.policy.policy.policyId ? -1 : 1))
