import type { Component, Condition, Conditions } from "./condition.ts"
import { objectives } from "./objectives.ts"
import type { Cause, Outage, Status } from "./Status.ts"

/** What each component is called before its callers. */
export const componentNames: Readonly<Record<Component, string>> = {
  api: "API",
  database: "Database",
  limits: "Limits",
  webhooks: "Webhook delivery"
}

/** One word for each condition, the same for every component. */
export const conditionWords: Readonly<Record<Condition, string>> = {
  up: "Working",
  degraded: "Degraded",
  down: "Down",
  unknown: "Not known"
}

/** The state of the service as GET /health names it (contract §2), and "down" where that answers 503. */
export const serviceWords: Readonly<Record<Conditions["api"], "healthy" | "degraded" | "down">> = {
  up: "healthy",
  degraded: "degraded",
  down: "down"
}

/** What a component's condition means for those who call. */
export const conditionMeaning = (component: Component, condition: Condition): string => {
  const meant: Readonly<Partial<Record<Condition, string>>> = meanings[component]
  return meant[condition] ?? ""
}

/** The whole in one sentence. */
export const headline = ({ standings: { api, webhooks } }: Status): string => {
  if (api.condition === "up" && webhooks.condition === "degraded")
    return "The API works. Webhooks are delivered late."
  return headlines[api.condition]
}

/** What callers met in an outage that is over. */
export const effect = ({ component, condition }: Pick<Outage, "component" | "condition">): string =>
  outageMeanings[component][condition] ?? ""

const headlines: Readonly<Record<Conditions["api"], string>> = {
  up: "The service works.",
  degraded: "The service works, with reduced limits.",
  down: "The API is down: calls are refused with 503."
}

const meanings: { readonly [Name in Component]: { readonly [Now in Conditions[Name]]: string } } = {
  api: {
    up: "Calls are answered.",
    degraded: "Calls are answered, with half of the limits per minute.",
    down: "Calls are refused with SERVER_UNAVAILABLE, may be repeated, and cost nothing."
  },
  database: {
    up: "It answers.",
    down: "It does not answer. The service finds it again by itself; nothing that was acknowledged is lost."
  },
  limits: {
    up: "The whole limit of every pack is in force.",
    degraded:
      "Their shared store is unavailable: each process counts for itself. The headers show the limit in force."
  },
  webhooks: {
    up: `No delivery that is due has waited longer than ${objectives.firstAttemptSeconds} seconds.`,
    degraded: `Deliveries wait longer than ${objectives.firstAttemptSeconds} seconds. None is lost.`,
    unknown: "The queue could not be looked at. Deliveries wait in it, and none is lost."
  }
}

const outageMeanings: { readonly [Name in Cause]: Readonly<Partial<Record<Condition, string>>> } = {
  database: { down: "Calls were refused with SERVER_UNAVAILABLE, and cost nothing." },
  limits: { degraded: "Calls were answered, with half of the limits per minute." },
  webhooks: { degraded: "Webhooks were delivered late." }
}
