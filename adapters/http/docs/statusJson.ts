import { components } from "../../../core/status/condition.ts"
import type { Component, Observation } from "../../../core/status/condition.ts"
import type { Outage, Status } from "../../../core/status/Status.ts"
import { headline, conditionMeaning, serviceWords } from "../../../core/status/words.ts"
import { openToAll } from "../openToAll.ts"
import type { Text } from "./Content.ts"

/** /status.json: what the page says, for programs on any site (docs/objectives.md). */
export const statusJson = (status: Status): Text => ({
  contentType: "application/json",
  headers: openToAll,
  body: JSON.stringify({
    status: serviceWords[status.standings.api.condition],
    says: headline(status),
    read_at: timeText(status.seen.atMs),
    process_started_at: timeText(status.startedMs),
    components: components.map((name) => component(name, status)),
    outages: status.outages.toReversed().map(outage)
  })
})

const component = (name: Component, { seen, standings }: Status) => {
  const { condition, sinceMs } = standings[name]
  return {
    name,
    condition,
    since: timeText(sinceMs),
    says: conditionMeaning(name, condition),
    ...figures[name](seen)
  }
}

/** What was measured of a component, with its unit in its name. */
const figures: Readonly<Record<Component, (seen: Observation) => Readonly<Record<string, number | null>>>> = {
  api: () => ({}),
  database: ({ database }) => ({ latency_ms: rounded(database.latencyMs) }),
  limits: ({ cache }) => ({ latency_ms: rounded(cache.latencyMs) }),
  webhooks: ({ webhookWaitSeconds }) => ({ wait_seconds: rounded(webhookWaitSeconds) })
}

const outage = ({ component, condition, fromMs, toMs }: Outage) => ({
  component,
  condition,
  from: timeText(fromMs),
  to: toMs === null ? null : timeText(toMs)
})

const rounded = (figure: number | null): number | null => (figure === null ? null : Math.round(figure))

const timeText = (atMs: number): string => new Date(atMs).toISOString()
