import { objectives } from "./objectives.ts"

/** What was last seen of one dependency; milliseconds, null when it did not answer. */
export interface ProbeSeen {
  readonly status: "up" | "down"
  readonly latencyMs: number | null
}

/** What the probes say of both stores. */
export interface StoresSeen {
  readonly database: ProbeSeen
  readonly cache: ProbeSeen
}

/** All that the probes say at one time, Unix ms. */
export interface Observation extends StoresSeen {
  readonly atMs: number
  /** How long the delivery that is due for longest has waited, seconds; null: nobody could look. */
  readonly webhookWaitSeconds: number | null
}

/** Each component of the service with the conditions that it can be in. */
export interface Conditions {
  readonly api: "up" | "degraded" | "down"
  readonly database: "up" | "down"
  readonly limits: "up" | "degraded"
  readonly webhooks: "up" | "degraded" | "unknown"
}

export type Component = keyof Conditions
export type Condition = Conditions[Component]

/** In the order in which they are told. */
export const components = [
  "api",
  "database",
  "limits",
  "webhooks"
] as const satisfies ReadonlyArray<Component>

/**
 * How calls are answered, as GET /health says it (contract §2): without its cache the service is degraded,
 * without its database it is down.
 */
export const apiCondition = ({ database, cache }: StoresSeen): Conditions["api"] => {
  if (database.status === "down") return "down"
  return cache.status === "up" ? "up" : "degraded"
}

/** What an observation says of every component. */
export const conditionsOf = (seen: Observation): Conditions => ({
  api: apiCondition(seen),
  database: seen.database.status,
  limits: seen.cache.status === "up" ? "up" : "degraded",
  webhooks: webhooksCondition(seen)
})

const webhooksCondition = ({ webhookWaitSeconds }: Observation): Conditions["webhooks"] => {
  if (webhookWaitSeconds === null) return "unknown"
  return webhookWaitSeconds <= objectives.firstAttemptSeconds ? "up" : "degraded"
}
