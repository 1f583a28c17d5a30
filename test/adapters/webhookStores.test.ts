import { layer } from "@effect/vitest"
import { describe } from "vitest"
import { acknowledgementsLaws, sharedAcknowledgementsLaws } from "../kit/acknowledgementsLaws.ts"
import { attemptsLaws, sharedAttemptsLaws } from "../kit/attemptsLaws.ts"
import { deliveriesLaws, sharedDeliveriesLaws } from "../kit/deliveriesLaws.ts"
import { endpointsLaws, sharedEndpointsLaws } from "../kit/endpointsLaws.ts"
import { jobsLaws, sharedJobsLaws } from "../kit/jobsLaws.ts"
import { absentWebhookLaws } from "../kit/absentWebhookLaws.ts"
import { memoryWebhooks } from "../kit/webhooks.ts"
import { absentWebhooks, postgresWebhooks } from "../stores/webhooks.ts"

const laws = [
  ["Endpoints", [...endpointsLaws, ...sharedEndpointsLaws]],
  ["Deliveries", [...deliveriesLaws, ...sharedDeliveriesLaws]],
  ["Attempts", [...attemptsLaws, ...sharedAttemptsLaws]],
  ["Jobs", [...jobsLaws, ...sharedJobsLaws]],
  ["Acknowledgements", [...acknowledgementsLaws, ...sharedAcknowledgementsLaws]]
] as const

for (const [port, all] of laws) {
  describe(port, () => {
    layer(memoryWebhooks, { excludeTestServices: true })("in memory", (it) => {
      for (const { says, check } of all) it.effect(says, () => check)
    })
    layer(postgresWebhooks, { excludeTestServices: true })("in PostgreSQL", (it) => {
      for (const { says, check } of all) it.effect(says, () => check)
    })
  })
}

layer(absentWebhooks, { excludeTestServices: true })(
  "the ports of webhooks without their PostgreSQL",
  (it) => {
    for (const { says, check } of absentWebhookLaws) it.effect(says, () => check)
  }
)
