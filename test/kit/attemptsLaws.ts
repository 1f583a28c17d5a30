import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { Attempts, deliveriesKeptMs, resumedMax, strandedMs } from "../../core/port/Attempts.ts"
import { Deliveries } from "../../core/port/Deliveries.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import type { Job } from "../../core/port/Jobs.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { deliveryPolicy } from "../../core/webhook/delivery.ts"
import { testKeyMs } from "../../core/sandbox/testKey.ts"
import { newAccount } from "./accounts.ts"
import { follow, histories, attemptOf, settle } from "./attemptHistories.ts"
import type { Law } from "./Law.ts"
import { runs } from "./runs.ts"
import {
  anEndpoint,
  answeredWith,
  beganMs,
  deliveriesOf,
  jobsOf,
  changeEndpoint,
  newEndpoint,
  newestOf,
  placeOf,
  plain,
  publishEvent,
  rowless,
  scaleOrganization
} from "./webhookFixtures.ts"
import { WebhooksElsewhere } from "./webhooks.ts"
import type { Webhooks } from "./webhooks.ts"

/** What every store of attempts keeps (core/port/Attempts.ts). */
export const attemptsLaws: ReadonlyArray<Law<Webhooks>> = [
  {
    says: "law 1: a delivery is due in its turn while it is pending, with its endpoint, event and surface",
    check: Effect.gen(function* () {
      const { due } = yield* Attempts
      for (const [surface, organizationId] of [
        ["live", yield* scaleOrganization],
        ["sandbox", rowless()]
      ] as const) {
        const endpoint = yield* anEndpoint(organizationId)
        const event = yield* publishEvent(organizationId)
        const delivery = yield* newestOf(endpoint)
        const { deliveryId } = delivery
        const found = yield* due({ deliveryId, turn: 1 })
        assert.ok(found)
        const told = { ...found, endpoint: plain(found.endpoint) }
        assert.deepEqual(told, { delivery, endpoint, event, surface, hasWebhooks: true })
        assert.equal(yield* due({ deliveryId, turn: 2 }), undefined)
        assert.equal(yield* due({ deliveryId: deliveryId + 10_000, turn: 1 }), undefined)
        yield* settle({ ...attemptOf(deliveryId, 1), outcome: answeredWith(200) })
        for (const turn of [1, 2]) assert.equal(yield* due({ deliveryId, turn }), undefined)
        const nobodys = { ...attemptOf(deliveryId + 10_000, 1), outcome: answeredWith(200) }
        assert.equal(yield* settle(nobodys), undefined)
      }
    })
  },
  {
    says: "law 1: of an organization that left its pack it says so",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "build" })
      const endpoint = yield* anEndpoint(organizationId)
      yield* publishEvent(organizationId)
      const { deliveryId } = yield* newestOf(endpoint)
      const { replay } = yield* Deliveries
      yield* replay({ ...placeOf(endpoint), deliveryId, nowMs: beganMs })
      const found = yield* (yield* Attempts).due({ deliveryId, turn: 2 })
      assert.equal(found?.hasWebhooks, false)
    })
  },
  {
    says: "law 2: for any history of attempts it answers as the kernel folded over that history",
    check: Effect.suspend(() =>
      Effect.forEach(fc.sample(histories, { numRuns: runs(20), seed: 7 }), follow, { discard: true })
    )
  },
  {
    says: "law 2: of two attempts of one turn that settle at once both count, and one decides what follows",
    check: Effect.gen(function* () {
      const endpoint = yield* anEndpoint(rowless())
      yield* publishEvent(endpoint.organizationId)
      const { deliveryId } = yield* newestOf(endpoint)
      yield* jobsOf(endpoint)
      const failing = settle({ ...attemptOf(deliveryId, 1), outcome: answeredWith(500) })
      yield* Effect.all([failing, failing, failing], { concurrency: "unbounded" })
      const delivery = yield* newestOf(endpoint)
      assert.deepEqual([delivery.attempts, delivery.step, delivery.status], [3, 1, "pending"])
      assert.equal((yield* (yield* Endpoints).find(placeOf(endpoint)))?.failureCount, 3)
    })
  },
  {
    says: "law 2: what is retried has its next job after the gap and no sooner, and what is done has none",
    check: Effect.gen(function* () {
      const endpoint = yield* anEndpoint(rowless())
      yield* publishEvent(endpoint.organizationId)
      yield* publishEvent(endpoint.organizationId)
      const [second, first] = yield* deliveriesOf(endpoint)
      assert.ok(first && second)
      yield* jobsOf(endpoint)
      const policy = { ...deliveryPolicy, gapsMs: [2_000], jitter: 0 }
      yield* settle({ ...attemptOf(first.deliveryId, 1), outcome: answeredWith(500), policy })
      yield* settle({ ...attemptOf(second.deliveryId, 1), outcome: answeredWith(204), policy })
      assert.deepEqual(yield* jobsOf(endpoint), [])
      yield* Effect.sleep("2 seconds")
      assert.deepEqual(yield* jobsOf(endpoint), [{ _tag: "Deliver", deliveryId: first.deliveryId, turn: 2 }])
    })
  },
  {
    says: "law 3: what is put off has its job at the time, and was not attempted",
    check: Effect.gen(function* () {
      const { defer, due } = yield* Attempts
      const endpoint = yield* anEndpoint(rowless())
      yield* publishEvent(endpoint.organizationId)
      const before = yield* newestOf(endpoint)
      const { deliveryId } = before
      yield* jobsOf(endpoint)
      const later = { atMs: beganMs + 2_000, nowMs: beganMs }
      yield* defer({ deliveryId, turn: 1, ...later })
      yield* defer({ deliveryId, turn: 1, ...later })
      assert.deepEqual(yield* newestOf(endpoint), { ...before, nextAttemptAtMs: beganMs + 2_000 })
      assert.deepEqual(yield* jobsOf(endpoint), [])
      yield* Effect.sleep("2 seconds")
      assert.deepEqual(yield* jobsOf(endpoint), [{ _tag: "Deliver", deliveryId, turn: 2 }])
      assert.equal(yield* due({ deliveryId, turn: 1 }), undefined)
    })
  },
  {
    says: "law 4: an endpoint that is active again has every pending delivery's job, batch after batch, once",
    check: Effect.gen(function* () {
      const { resume, due } = yield* Attempts
      const organizationId = yield* scaleOrganization
      const [endpoint, other] = [yield* anEndpoint(organizationId), yield* anEndpoint(organizationId)]
      const count = resumedMax + 3
      yield* Effect.forEach(Array.from({ length: count }), () => publishEvent(organizationId), {
        concurrency: 4
      })
      const all = (yield* deliveriesOf(endpoint)).toReversed()
      const held = all.at(-1)
      assert.ok(held && all.length === count)
      yield* settle({ ...attemptOf(held.deliveryId, 1), outcome: answeredWith(200) })
      yield* changeEndpoint(endpoint, "set_paused")
      yield* jobsOf(endpoint)
      const { endpointId } = endpoint
      assert.equal(yield* resume({ endpointId, after: 0, nowMs: beganMs }), null)
      assert.deepEqual(yield* jobsOf(endpoint), [])
      yield* changeEndpoint(endpoint, "set_active")
      yield* jobsOf(endpoint)
      let after: number | null = 0
      while (after !== null) after = yield* resume({ endpointId, after, nowMs: beganMs + 5 })
      const jobs = yield* jobsOf(endpoint)
      const expected = all
        .slice(0, -1)
        .map(({ deliveryId }): Job => ({ _tag: "Deliver", deliveryId, turn: 2 }))
      assert.deepEqual(jobs.toSorted(byDelivery), expected)
      assert.equal((yield* newestOf(other)).nextAttemptAtMs, beganMs)
      const [job] = expected
      assert.ok(job?._tag === "Deliver" && (yield* due(job)) !== undefined)
      assert.equal((yield* due(job))?.delivery.nextAttemptAtMs, beganMs + 5)
    })
  },
  {
    says: "law 5: what nothing has come of for ten minutes gets its job again, if it may be attempted",
    check: Effect.gen(function* () {
      const { rescue } = yield* Attempts
      const longAgoMs = beganMs - 40 * 86_400_000
      const [organizationId, off] = [yield* scaleOrganization, yield* newAccount({ pack: "build" })]
      const endpoint = yield* anEndpoint(organizationId)
      const [paused, unpacked] = [yield* anEndpoint(rowless()), yield* anEndpoint(off.organizationId)]
      while ((yield* rescue(longAgoMs + strandedMs)) > 0);
      yield* publishEvent(organizationId, longAgoMs)
      yield* publishEvent(paused.organizationId, longAgoMs)
      yield* changeEndpoint(paused, "set_paused")
      yield* publishEvent(off.organizationId, longAgoMs)
      const { deliveryId } = yield* newestOf(unpacked)
      yield* (yield* Deliveries).replay({ ...placeOf(unpacked), deliveryId, nowMs: longAgoMs })
      for (const each of [endpoint, paused, unpacked]) yield* jobsOf(each)
      assert.equal(yield* rescue(longAgoMs + strandedMs - 1), 0)
      assert.equal(yield* rescue(longAgoMs + strandedMs), 1)
      assert.equal((yield* jobsOf(endpoint)).length, 1)
      assert.equal(yield* rescue(longAgoMs + strandedMs), 0)
      yield* (yield* Organizations).change({
        organizationId: off.organizationId,
        change: { _tag: "Pack", pack: "scale", nowMs: longAgoMs }
      })
      assert.equal(yield* rescue(longAgoMs + strandedMs), 1)
      const jobs = yield* jobsOf(unpacked)
      assert.deepEqual(jobs, [{ _tag: "Deliver", deliveryId, turn: 3 }])
    })
  },
  {
    says: "law 6: after a month what is settled is forgotten, and what waits is not",
    check: Effect.gen(function* () {
      const { forget } = yield* Attempts
      const oldMs = beganMs - 400 * 86_400_000
      while ((yield* forget(oldMs + deliveriesKeptMs)) > 0);
      const endpoint = yield* anEndpoint(yield* scaleOrganization)
      for (let nth = 0; nth < 4; nth++) yield* publishEvent(endpoint.organizationId, oldMs + nth)
      const [fresh, held, , old] = yield* deliveriesOf(endpoint)
      assert.ok(fresh && held && old)
      yield* settle({ ...attemptOf(fresh.deliveryId, 1), outcome: answeredWith(200) })
      yield* settle({ ...attemptOf(old.deliveryId, 1), outcome: answeredWith(200) })
      assert.equal(yield* forget(oldMs + deliveriesKeptMs - 1), 0)
      assert.equal(yield* forget(oldMs + deliveriesKeptMs + 2), 1)
      assert.equal((yield* deliveriesOf(endpoint)).length, 3)
      yield* changeEndpoint(endpoint, "deleted")
      assert.equal(yield* forget(oldMs + deliveriesKeptMs + 3), 3)
    })
  },
  {
    says: "law 6: what a test key wrote vanishes with it",
    check: Effect.gen(function* () {
      const { forget } = yield* Attempts
      const oldMs = beganMs - 400 * 86_400_000
      while ((yield* forget(oldMs + testKeyMs)) > 0);
      const { create, list } = yield* Endpoints
      const place = rowless()
      const [old, young] = [
        yield* create(newEndpoint(place, { nowMs: oldMs + 1 })),
        yield* create(newEndpoint(place, { nowMs: oldMs + 2 }))
      ]
      assert.ok(old !== "full" && young !== "full")
      yield* publishEvent(place, oldMs + 3)
      assert.equal(yield* forget(oldMs + testKeyMs), 0)
      assert.equal(yield* forget(oldMs + testKeyMs + 1), 1)
      assert.deepEqual(
        (yield* list(place)).map(({ endpointId }) => endpointId),
        [young.endpointId]
      )
      assert.equal((yield* deliveriesOf(young)).length, 1)
      assert.equal(yield* forget(oldMs + testKeyMs + 2), 1)
    })
  }
]

/** What they keep when two processes share the store. */
export const sharedAttemptsLaws: ReadonlyArray<Law<Webhooks | WebhooksElsewhere>> = [
  {
    says: "law 2: what one process settled another sees, and a turn that was settled there is nobody's here",
    check: Effect.gen(function* () {
      const elsewhere = yield* WebhooksElsewhere
      const endpoint = yield* anEndpoint(rowless())
      yield* publishEvent(endpoint.organizationId)
      const { deliveryId } = yield* newestOf(endpoint)
      const { due } = yield* Attempts
      assert.ok((yield* due({ deliveryId, turn: 1 })) !== undefined)
      const there = settle({ ...attemptOf(deliveryId, 1), outcome: answeredWith(503) })
      yield* Effect.provide(there, elsewhere)
      assert.equal(yield* due({ deliveryId, turn: 1 }), undefined)
      assert.equal((yield* newestOf(endpoint)).httpStatus, 503)
    })
  }
]

const byDelivery = (one: Job, other: Job): number =>
  one._tag === "Deliver" && other._tag === "Deliver" ? one.deliveryId - other.deliveryId : 0
