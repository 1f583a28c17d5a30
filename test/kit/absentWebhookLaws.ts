import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { PolicyId } from "../../core/coverage/Policy.ts"
import { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import { Attempts } from "../../core/port/Attempts.ts"
import { Deliveries } from "../../core/port/Deliveries.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { Reviews } from "../../core/port/Reviews.ts"
import { deliveryPolicy } from "../../core/webhook/delivery.ts"
import { testDelivery } from "../../core/webhook/testPing.ts"
import { moveEndpoint } from "../../core/webhook/transitions.ts"
import type { Law } from "./Law.ts"
import { anEvent, answeredWith, beganMs, newEndpoint, rowless } from "./webhookFixtures.ts"

type Ports = Endpoints | Deliveries | Attempts | Acknowledgements | Reviews

const organizationId = rowless()
const place = { organizationId, endpointId: 1 }
const since = "2026-03-06T10:00:00.000Z" as IsoTime
const turn = { deliveryId: 1, turn: 1 }
const made = {
  ...turn,
  outcome: answeredWith(200),
  beganMs,
  nowMs: beganMs,
  random: 0,
  policy: deliveryPolicy
}
const query = { organizationId, since, changeType: null, before: null, limit: 1 }
const newTest = { ...place, webhookId: anEvent().webhookId, nowMs: beganMs }

/** What the ports of webhooks and compliance keep while their store is unavailable. */
export const absentWebhookLaws: ReadonlyArray<Law<Ports>> = [
  absent(
    "endpoints",
    Effect.map(Endpoints, (endpoints) => [
      endpoints.create(newEndpoint(organizationId)),
      endpoints.list(organizationId),
      endpoints.find(place),
      endpoints.change(place, (endpoint) => moveEndpoint(endpoint, "deleted", beganMs))
    ])
  ),
  absent(
    "deliveries",
    Effect.map(Deliveries, (deliveries) => [
      deliveries.publish({ organizationId, event: anEvent() }),
      deliveries.list({ ...place, status: null, before: null, limit: 1 }),
      deliveries.replay({ ...place, deliveryId: 1, nowMs: beganMs }),
      deliveries.replayWindow({ ...place, sinceMs: 0, untilMs: beganMs, nowMs: beganMs }),
      deliveries.record(testDelivery(newTest, answeredWith(200)))
    ])
  ),
  absent(
    "attempts",
    Effect.map(Attempts, (attempts) => [
      attempts.due(turn),
      attempts.settle(made),
      attempts.defer({ ...turn, atMs: beganMs, nowMs: beganMs }),
      attempts.resume({ endpointId: 1, after: 0, nowMs: beganMs }),
      attempts.rescue(beganMs),
      attempts.forget(beganMs)
    ])
  ),
  absent(
    "acknowledgements",
    Effect.map(Acknowledgements, ({ acknowledge, among }) => [
      acknowledge({
        organizationId,
        changes: [{ diffId: 1, policyId: "L1" as PolicyId }],
        notes: null,
        at: since
      }),
      among({ organizationId, diffIds: [1] })
    ])
  ),
  absent(
    "reviews",
    Effect.map(Reviews, (reviews) => [reviews.named([1]), reviews.unreviewed(query), reviews.counts(query)])
  )
]

/** Every verb fails as unreachable, and answers nothing it cannot know. */
function absent<R>(
  port: string,
  verbs: Effect.Effect<ReadonlyArray<Effect.Effect<unknown, { readonly fault: string }>>, never, R>
): Law<R> {
  return {
    says: `every verb of ${port} fails as unreachable while the store is unavailable`,
    check: Effect.gen(function* () {
      const faults = yield* Effect.forEach(yield* verbs, (verb) => Effect.flip(verb))
      assert.deepEqual(new Set(faults.map(({ fault }) => fault)), new Set(["unreachable"]))
    })
  }
}
