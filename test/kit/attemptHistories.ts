import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { Attempts } from "../../core/port/Attempts.ts"
import type { AttemptMade } from "../../core/port/Attempts.ts"
import { Deliveries } from "../../core/port/Deliveries.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { deliveryPolicy, replayDelivery } from "../../core/webhook/delivery.ts"
import type { Delivery } from "../../core/webhook/delivery.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import type { Outcome } from "../../core/webhook/Outcome.ts"
import { settleAttempt } from "../../core/webhook/settle.ts"
import { moveEndpoint } from "../../core/webhook/transitions.ts"
import type { EndpointTrigger } from "../../core/webhook/transitions.ts"
import {
  anEndpoint,
  answeredWith,
  beganMs,
  changeEndpoint,
  newestOf,
  placeOf,
  plain,
  publishEvent,
  rowless
} from "./webhookFixtures.ts"

/** Settles an attempt, and gives the endpoint as it became. */
export const settle = (attempt: AttemptMade) =>
  Effect.flatMap(Attempts, (attempts) => attempts.settle(attempt))

/** An attempt of a delivery but for what came of it. */
export const attemptOf = (deliveryId: number, turn: number) => ({
  deliveryId,
  turn,
  beganMs,
  nowMs: beganMs + 40,
  random: 0.5,
  policy: deliveryPolicy
})

export type Step =
  | { readonly _tag: "Attempt"; readonly outcome: Outcome; readonly late: number; readonly random: number }
  | { readonly _tag: "Move"; readonly trigger: EndpointTrigger }
  | { readonly _tag: "Replay" }

const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constantFrom(200, 204, 299, 301, 404, 410, 429, 500, 503).map((status) => answeredWith(status)),
  fc.constantFrom(0, 1_000, 700_000, 99_999_999).map((ms) => answeredWith(429, ms)),
  fc
    .constantFrom("timeout" as const, "blocked" as const, "network" as const)
    .map((cause): Outcome => ({ _tag: "Failed", cause, status: null }))
)

/** What may befall a delivery, one thing after the other. */
export const histories: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        _tag: fc.constant("Attempt" as const),
        outcome: outcomes,
        // Mostly its own turn; now and then one that has passed.
        late: fc.constantFrom(0, 0, 0, 0, 1),
        random: fc.constantFrom(0, 0.25, 0.999)
      })
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom("set_active" as const, "set_paused" as const)
        .map((trigger): Step => ({ _tag: "Move", trigger }))
    },
    { weight: 1, arbitrary: fc.constant<Step>({ _tag: "Replay" }) }
  ),
  { minLength: 1, maxLength: 25 }
)

interface Model {
  readonly delivery: Delivery
  readonly endpoint: Endpoint
  readonly turn: number
}

/** Performs the history at one delivery and folds the kernel over it beside. */
export const follow = Effect.fnUntraced(function* (history: ReadonlyArray<Step>) {
  const endpoint = yield* anEndpoint(rowless())
  yield* publishEvent(endpoint.organizationId)
  let model: Model = { delivery: yield* newestOf(endpoint), endpoint, turn: 1 }
  let nowMs = beganMs
  for (const step of history) {
    // Twelve hours, so that a history may last for days of failure.
    nowMs += 43_200_000
    model = yield* take(model, step, nowMs)
    const kept = yield* (yield* Endpoints).find(placeOf(endpoint))
    assert.deepEqual(kept && plain(kept), model.endpoint)
    assert.deepEqual(yield* newestOf(endpoint), model.delivery)
  }
})

const take = Effect.fnUntraced(function* (model: Model, step: Step, nowMs: number) {
  const { deliveryId } = model.delivery
  switch (step._tag) {
    case "Attempt": {
      const { outcome, random } = step
      const said = yield* settle({ ...attemptOf(deliveryId, model.turn - step.late), outcome, random, nowMs })
      const isItsTurn = step.late === 0 && model.delivery.status === "pending"
      const standing = { ...model, hasWebhooks: true, isItsTurn }
      const { delivery, moved } = settleAttempt(standing, { outcome, random, nowMs }, deliveryPolicy)
      assert.deepEqual(said && plain(said), moved.endpoint)
      return { delivery, endpoint: moved.endpoint, turn: isItsTurn ? model.turn + 1 : model.turn }
    }
    case "Move":
      yield* changeEndpoint(model.endpoint, step.trigger, nowMs)
      return { ...model, endpoint: moveEndpoint(model.endpoint, step.trigger, nowMs).endpoint }
    case "Replay":
      yield* (yield* Deliveries).replay({ ...placeOf(model.endpoint), deliveryId, nowMs })
      return { ...model, delivery: replayDelivery(model.delivery, nowMs), turn: model.turn + 1 }
  }
})
