import { it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, beforeEach, describe, expect, vi } from "vitest"
import { Deliveries } from "../../core/port/Deliveries.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import type { ReceiverRequest } from "../../core/port/Receiver.ts"
import { deliveryPolicy } from "../../core/webhook/delivery.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import type { Outcome } from "../../core/webhook/Outcome.ts"
import { rotateEndpointSecret } from "../../core/webhook/transitions.ts"
import { deliveryJob } from "../../core/job/deliveryJob.ts"
import { sweepingDeliveries } from "../../core/job/deliverySweep.ts"
import { aReceiver, aSecret, courierSettings, receiverOf, verifies } from "../kit/courier.ts"
import type { Got } from "../kit/courier.ts"
import {
  answeredWith,
  deliveriesOf,
  changeEndpoint,
  newestOf,
  placeOf,
  publishEvent,
  rowless
} from "../kit/webhookFixtures.ts"
import { memoryWebhooks } from "../kit/webhooks.ts"

const hourMs = 3_600_000
const startMs = Date.parse("2026-03-06T10:00:00.000Z")
const url = "https://hooks.example.com/in"

/** A worker over memory stores; what its receivers got, and when. */
const worker = (answer: (request: ReceiverRequest, got: ReadonlyArray<Got>) => Effect.Effect<Outcome>) => {
  const got: Array<Got> = []
  const receivers = receiverOf((request) =>
    Effect.flatMap(Clock.currentTimeMillis, (atMs) => {
      got.push({ ...request, atMs })
      return answer(request, got)
    })
  )
  const running = Layer.effectDiscard(Effect.andThen(deliveryJob, sweepingDeliveries)).pipe(
    Layer.provideMerge(receivers),
    Layer.provideMerge(memoryWebhooks),
    Layer.provideMerge(courierSettings)
  )
  const run = <A, E, R>(check: (got: ReadonlyArray<Got>) => Effect.Effect<A, E, R>) =>
    Effect.andThen(
      TestClock.setTime(startMs),
      Effect.provide(
        Effect.onExit(
          Effect.suspend(() => check(got)),
          goOn
        ),
        running
      )
    )
  return run
}

/** The worker drains when its scope closes, for which time must go on. */
const goOn = () =>
  Effect.forkDetach(
    Effect.repeat(Effect.andThen(TestClock.adjust("1 second"), Effect.yieldNow), { times: 60 })
  )

/** Virtual time goes on in steps, since one great leap would be one instant to whoever sleeps twice in it. */
const pass = (ms: number, stepMs: number) =>
  Effect.repeat(TestClock.adjust(stepMs), { times: Math.ceil(ms / stepMs) - 1 })

const stateOf = (endpoint: Endpoint) => Effect.flatMap(Endpoints, ({ find }) => find(placeOf(endpoint)))

describe("contract §2 Webhooks: the worker in virtual time", () => {
  it.effect("a delivery that succeeds is one request, signed with the endpoint's secret", () =>
    worker(() => Effect.succeed(answeredWith(204)))((got) =>
      Effect.gen(function* () {
        const { endpoint, secret } = yield* aReceiver(rowless(), url, startMs)
        const event = yield* publishEvent(endpoint.organizationId, startMs)
        yield* pass(60_000, 1_000)
        expect(got).toHaveLength(1)
        const [request] = got
        expect(request?.headers["webhook-id"]).toBe(event.webhookId)
        verifiesAt(secret, request)
        expect(yield* newestOf(endpoint)).toMatchObject({ status: "delivered", attempts: 1, httpStatus: 204 })
      })
    )
  )

  it.effect("500 for days: ten attempts by the schedule within 75 h 35 min, then dead; not one more", () =>
    worker(() => Effect.succeed(answeredWith(500)))((got) =>
      Effect.gen(function* () {
        const { endpoint, secret } = yield* aReceiver(rowless(), url, startMs)
        const { webhookId } = yield* publishEvent(endpoint.organizationId, startMs)
        yield* pass(110 * hourMs, 30_000)
        expect(got).toHaveLength(10)
        for (const [nth, gapMs] of deliveryPolicy.gapsMs.entries()) {
          const tookMs = (got[nth + 1]?.atMs ?? 0) - (got[nth]?.atMs ?? 0)
          // A step of the clock is half a minute.
          expect(tookMs).toBeGreaterThanOrEqual(gapMs * 0.8)
          expect(tookMs).toBeLessThanOrEqual(gapMs * 1.2 + 31_000)
        }
        expect(new Set(got.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([webhookId]))
        for (const request of got) verifiesAt(secret, request)
        expect(yield* newestOf(endpoint)).toMatchObject({
          status: "dead",
          attempts: 10,
          nextAttemptAtMs: null
        })
        expect(yield* stateOf(endpoint)).toMatchObject({ status: "active", failureCount: 10 })
      })
    )
  )

  it.effect(
    "410 disables the endpoint; what waited goes out when it is set active, events held meanwhile by replay",
    () => {
      let gone = true
      return worker(() => Effect.succeed(answeredWith(gone ? 410 : 200)))((got) =>
        Effect.gen(function* () {
          const { endpoint } = yield* aReceiver(rowless(), url, startMs)
          yield* publishEvent(endpoint.organizationId, startMs)
          yield* pass(5_000, 1_000)
          expect(yield* stateOf(endpoint)).toMatchObject({ status: "disabled", failureCount: 1 })
          yield* publishEvent(endpoint.organizationId, startMs + 6_000)
          yield* pass(hourMs, 60_000)
          expect(got).toHaveLength(1)
          gone = false
          yield* changeEndpoint(endpoint, "set_active", yield* Clock.currentTimeMillis)
          yield* pass(10_000, 1_000)
          expect(got).toHaveLength(2)
          expect((yield* deliveriesOf(endpoint)).map(({ status }) => status)).toEqual(["held", "delivered"])
          const nowMs = yield* Clock.currentTimeMillis
          const { replayWindow } = yield* Deliveries
          yield* replayWindow({ ...placeOf(endpoint), sinceMs: startMs + 1, untilMs: nowMs, nowMs })
          yield* pass(5_000, 1_000)
          expect((yield* deliveriesOf(endpoint)).map(({ status }) => status)).toEqual([
            "delivered",
            "delivered"
          ])
          expect(got).toHaveLength(3)
        })
      )
    }
  )

  it.effect("everything failing for five days and at least ten attempts disables the endpoint", () =>
    worker(() => Effect.succeed({ _tag: "Failed", cause: "timeout", status: null }))((got) =>
      Effect.gen(function* () {
        const { endpoint } = yield* aReceiver(rowless(), url, startMs)
        for (let day = 0; day < 5; day++) {
          yield* publishEvent(endpoint.organizationId, startMs + day * 24 * hourMs)
          yield* pass(24 * hourMs - 60_000, 60_000)
          expect(yield* stateOf(endpoint)).toMatchObject({ status: "active" })
          yield* pass(60_000, 60_000)
        }
        yield* publishEvent(endpoint.organizationId, startMs + 120 * hourMs)
        yield* pass(60_000, 1_000)
        const told = yield* stateOf(endpoint)
        expect(told?.status).toBe("disabled")
        expect(told?.failureCount).toBe(got.length)
        const attempts = got.length
        yield* pass(50 * hourMs, 60_000)
        expect(got).toHaveLength(attempts)
      })
    )
  )

  it.effect("429 with Retry-After is waited for, between the gap and twice the gap", () => {
    const asked = [1_000, 7_000, 99_000_000]
    return worker((_, got) => Effect.succeed(answeredWith(429, asked[got.length - 1] ?? null)))((got) =>
      Effect.gen(function* () {
        const { endpoint } = yield* aReceiver(rowless(), url, startMs)
        yield* publishEvent(endpoint.organizationId, startMs)
        yield* pass(2 * hourMs, 500)
        const gaps = got.slice(1, 4).map(({ atMs }, nth) => atMs - (got[nth]?.atMs ?? 0))
        expect(gaps[0]).toBeGreaterThanOrEqual(5_000)
        expect(gaps[0]).toBeLessThan(6_000)
        // 7 s is less than the second gap, and a day is more than twice the third.
        expect(gaps[1]).toBeGreaterThanOrEqual(300_000)
        expect(gaps[1]).toBeLessThan(301_000)
        expect(gaps[2]).toBeGreaterThanOrEqual(3_600_000)
        expect(gaps[2]).toBeLessThan(3_601_000)
        expect(endpoint.status).toBe("active")
      })
    )
  })

  it.effect("before, during and after a rotation every request verifies with a secret that was live", () =>
    worker(() => Effect.succeed(answeredWith(200)))((got) =>
      Effect.gen(function* () {
        const { endpoint, secret: old } = yield* aReceiver(rowless(), url, startMs)
        const send = Effect.gen(function* () {
          yield* publishEvent(endpoint.organizationId, yield* Clock.currentTimeMillis)
          yield* pass(2_000, 500)
          return got.at(-1)
        })
        verifiesAt(old, yield* send)
        const { text: fresh, sealed } = yield* aSecret(
          endpoint.organizationId,
          yield* Clock.currentTimeMillis
        )
        const { change } = yield* Endpoints
        const nowMs = yield* Clock.currentTimeMillis
        yield* change(placeOf(endpoint), (each) => rotateEndpointSecret(each, sealed, nowMs))
        const during = yield* send
        verifiesAt(old, during)
        verifiesAt(fresh, during)
        yield* pass(24 * hourMs, hourMs)
        const after = yield* send
        verifiesAt(fresh, after)
        expect(() => verifiesAt(old, after)).toThrow()
      })
    )
  )

  it.effect("a paused endpoint gets nothing, and its pending deliveries go out when it is set active", () =>
    worker(() => Effect.succeed(answeredWith(200)))((got) =>
      Effect.gen(function* () {
        const { endpoint } = yield* aReceiver(rowless(), url, startMs)
        const { endpoint: deleted } = yield* aReceiver(endpoint.organizationId, url, startMs)
        const both = Effect.all([
          publishEvent(endpoint.organizationId, startMs),
          changeEndpoint(endpoint, "set_paused"),
          changeEndpoint(deleted, "deleted")
        ])
        yield* both
        yield* pass(hourMs, 60_000)
        expect(got).toHaveLength(0)
        yield* changeEndpoint(endpoint, "set_active", yield* Clock.currentTimeMillis)
        yield* pass(2_000, 500)
        expect(got).toHaveLength(1)
      })
    )
  )

  it.effect("one endpoint that hangs holds up no other: 300 deliveries before 40 for healthy ones", () =>
    worker(({ url: to }) => (to.includes("dead") ? Effect.never : Effect.succeed(answeredWith(200))))((got) =>
      Effect.gen(function* () {
        const { endpoint: dead } = yield* aReceiver(rowless(), "https://dead.example.com/in", startMs)
        yield* Effect.forEach(Array.from({ length: 300 }), () => publishEvent(dead.organizationId, startMs))
        const healthy = yield* Effect.forEach(Array.from({ length: 4 }), () =>
          aReceiver(rowless(), url, startMs)
        )
        for (const { endpoint } of healthy)
          yield* Effect.forEach(Array.from({ length: 10 }), () =>
            publishEvent(endpoint.organizationId, startMs)
          )
        yield* pass(2_000, 50)
        expect(got.filter(({ url: to }) => to === url)).toHaveLength(40)
        expect(got.filter(({ url: to }) => to !== url).length).toBeLessThanOrEqual(8)
        // The dead one's are not lost: each waits for its turn.
        const states = yield* deliveriesOf(dead)
        expect(states.every(({ status }) => status === "pending")).toBe(true)
        expect(states).toHaveLength(300)
      })
    )
  )
})

/** Both libraries go by the process's own clock, so it is set to when the request was sent. */
const verifiesAt = (secret: string, request: Got | undefined): void => {
  if (request === undefined) throw new Error("there is a request")
  vi.setSystemTime(request.atMs)
  verifies(secret, request)
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }))
afterEach(() => void vi.useRealTimers())
