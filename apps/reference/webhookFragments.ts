import { deliveryDeadlineMs, deliveryPolicy } from "../../core/webhook/delivery.ts"
import { endpointsMax, subscriptionsMax, urlCharactersMax } from "../../core/webhook/Endpoint.ts"
import { eventBytesMax, eventNames, eventTypes } from "../../core/webhook/event.ts"
import { headerMeanings } from "../../core/webhook/headerMeanings.ts"
import { secretOverlapMs } from "../../core/webhook/secret.ts"
import { testDeadlineMs, testsPerMinute } from "../../core/webhook/testPing.ts"
import { endpointStates, deliveryStates } from "../../core/webhook/states.ts"
import { givingUp } from "../../core/webhook/transitions.ts"
import { toleranceSeconds } from "../../core/webhook/verify.ts"
import { code, table } from "./markdown.ts"

/** The tables of docs/webhooks.md, each from the table that the service itself goes by. */
export const webhookFragments = {
  events: () =>
    table(
      ["Event", "What happened", "Can be asked for"],
      eventNames.map((name) => [
        code(name),
        eventTypes[name].says,
        eventTypes[name].subscribable ? "yes" : "no"
      ])
    ),
  headers: () =>
    table(
      ["Header", "What it says"],
      Object.entries(headerMeanings).map(([name, says]) => [code(name), says])
    ),
  schedule: () =>
    table(
      ["Attempt", "After the one before", "After the first"],
      [0, ...deliveryPolicy.gapsMs].map((gapMs, index, gaps) => [
        String(index + 1),
        index === 0 ? "at once" : spoken(gapMs),
        index === 0 ? "" : spoken(gaps.slice(0, index + 1).reduce((sum, each) => sum + each, 0))
      ])
    ),
  endpoints: () => states(endpointStates),
  deliveries: () => states(deliveryStates),
  limits: () =>
    table(
      ["Limit", "Value"],
      [
        ["Endpoints of an organization", String(endpointsMax)],
        ["Characters of a URL", counted(urlCharactersMax)],
        ["Entries of `events`", String(subscriptionsMax)],
        ["Bytes of a body", `under ${counted(eventBytesMax)}`],
        ["Time for your answer", spoken(deliveryDeadlineMs)],
        ["How far a timestamp may be from your clock", spoken(toleranceSeconds * 1_000)],
        ["How long the secret before a rotation still signs", spoken(secretOverlapMs)],
        ["Tests of one endpoint in a minute", String(testsPerMinute)],
        ["Time of a test", spoken(testDeadlineMs)],
        [
          "Failing, until the endpoint is disabled",
          `${spoken(givingUp.failingMs)}, and ${givingUp.failures} attempts`
        ]
      ]
    )
} as const satisfies Readonly<Record<string, () => string>>

const states = (rows: Readonly<Record<string, string>>): string =>
  table(
    ["State", "What it means"],
    Object.entries(rows).map(([name, says]) => [code(name), says])
  )

const counted = (count: number): string => count.toLocaleString("en-US")

const units = [
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000]
] as const

/** Days only where nothing is left over, so that 24 h and 75 h 35 min stay comparable. */
const spoken = (ms: number): string => {
  if (ms >= 48 * 3_600_000 && ms % 86_400_000 === 0) return `${ms / 86_400_000} days`
  let rest = ms
  return units
    .flatMap(([name, unitMs]) => {
      const count = Math.floor(rest / unitMs)
      rest -= count * unitMs
      return count === 0 ? [] : [`${count} ${name}`]
    })
    .join(" ")
}
