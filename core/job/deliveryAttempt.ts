import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import { Attempts } from "../port/Attempts.ts"
import type { AttemptsUnavailable, DeliveryTurn, DueDelivery } from "../port/Attempts.ts"
import { Crypto } from "../port/Crypto.ts"
import { Receiver } from "../port/Receiver.ts"
import { SandboxReceiver } from "../port/SandboxReceiver.ts"
import { deliveryDeadlineMs, deliveryPolicy } from "../webhook/delivery.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"
import { eventBody } from "../webhook/event.ts"
import type { Outcome } from "../webhook/Outcome.ts"
import { messageHeaders } from "../webhook/signature.ts"
import { deliveriesAttempted } from "../call/meters.ts"
import { makeWebhookSecrets } from "../handler/webhookSecrets.ts"

/** What was answered is written down though the store is unavailable for a while, at most so long. */
const settlingAgain = { every: "500 millis", times: 60 } as const

/** A delivery whose secrets do not open comes back after this: the operator may put SECRET_KEY right. */
const unopenedMs = 10 * 60_000

/**
 * One attempt: signed now, with every live secret, sent outside any transaction, and then settled in one
 * (webhooks.md, Delivery). It answers the endpoint as the attempt left it.
 */
export const makeAttempt = Effect.gen(function* () {
  const attempts = yield* Attempts
  const receivers = { live: yield* Receiver, sandbox: yield* SandboxReceiver } as const
  const { hmacSha256, randomBytes } = yield* Crypto
  const secretsOf = (yield* makeWebhookSecrets).open

  const post = ({ endpoint, event, surface }: DueDelivery, secrets: ReadonlyArray<string>, nowMs: number) => {
    const body = eventBody(event)
    const message = { webhookId: event.webhookId, timestampSeconds: Math.floor(nowMs / 1_000), body }
    const headers = messageHeaders(message, { secrets, mac: hmacSha256 })
    return receivers[surface].post({ url: endpoint.url, headers, body, deadlineMs: deliveryDeadlineMs })
  }

  return Effect.fnUntraced(function* (
    turn: DeliveryTurn,
    due: DueDelivery
  ): Effect.fn.Return<Endpoint | undefined, AttemptsUnavailable> {
    const beganMs = yield* Clock.currentTimeMillis
    const secrets = secretsOf(due.endpoint, beganMs)
    if (secrets.length === 0) {
      const { endpointId } = due.endpoint
      yield* Effect.annotateLogs(Effect.logError("no secret opens under any SECRET_KEY"), { endpointId })
      return yield* Effect.as(
        attempts.defer({ ...turn, atMs: beganMs + unopenedMs, nowMs: beganMs }),
        due.endpoint
      )
    }
    const outcome = yield* post(due, secrets, beganMs)
    yield* Metric.update(deliveriesAttempted({ outcome: outcomeWord(outcome) }), 1)
    const nowMs = yield* Clock.currentTimeMillis
    const random = chance(randomBytes(chanceBytes))
    const made = { ...turn, outcome, beganMs, nowMs, random, policy: deliveryPolicy }
    return yield* Effect.uninterruptible(
      Effect.retry(attempts.settle(made), {
        schedule: Schedule.spaced(settlingAgain.every),
        times: settlingAgain.times,
        // Settled twice it would count twice: the job runs again and looks.
        while: ({ fault }) => fault !== "unknown_outcome"
      })
    )
  })
})

const outcomeWord = (outcome: Outcome): string =>
  outcome._tag === "Failed" ? outcome.cause : `${Math.floor(outcome.status / 100)}xx`

const chanceBytes = 4

/** From 0 to below 1. */
const chance = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => (sum + byte) / 256, 0)
