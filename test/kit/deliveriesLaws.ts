import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import { Attempts } from "../../core/port/Attempts.ts"
import { Deliveries } from "../../core/port/Deliveries.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { deliveryPolicy, deliveryStatuses, openDelivery } from "../../core/webhook/delivery.ts"
import type { Delivery } from "../../core/webhook/delivery.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import { testDelivery } from "../../core/webhook/testPing.ts"
import { patchEndpoint } from "../../core/webhook/transitions.ts"
import { newAccount } from "./accounts.ts"
import type { Law } from "./Law.ts"
import {
  anEndpoint,
  anEvent,
  answeredWith,
  beganMs,
  deliveriesOf,
  inWrite,
  jobsOf,
  changeEndpoint,
  newestOf,
  placeOf,
  publishEvent,
  rowless,
  scaleOrganization
} from "./webhookFixtures.ts"
import { WebhooksElsewhere } from "./webhooks.ts"
import type { Webhooks } from "./webhooks.ts"

/** What every store of events and deliveries keeps (core/port/Deliveries.ts). */
export const deliveriesLaws: ReadonlyArray<Law<Webhooks>> = [
  {
    says: "law 1: an event makes a delivery at each endpoint that the kernel gives one, and a job for it",
    check: Effect.gen(function* () {
      const organizationId = yield* scaleOrganization
      const active = yield* anEndpoint(organizationId)
      const [paused, disabled, deleted] = yield* Effect.all(
        (["set_paused", "gone", "deleted"] as const).map((trigger) =>
          Effect.tap(anEndpoint(organizationId), (each) => changeEndpoint(each, trigger))
        )
      )
      const stranger = yield* anEndpoint(yield* scaleOrganization)
      const uninterested = yield* anEndpoint(organizationId)
      const { change } = yield* Endpoints
      yield* change(placeOf(uninterested), (each) => patchEndpoint(each, { events: [] }, beganMs))
      assert.ok(paused && disabled && deleted)
      const event = anEvent()
      assert.equal(yield* (yield* Deliveries).publish({ organizationId, event }), 3)
      const opened = { organizationId, webhookId: event.webhookId, event: event.type, nowMs: beganMs }
      const expected = (endpoint: Endpoint, fate: "pending" | "held") =>
        openDelivery({ ...opened, endpointId: endpoint.endpointId, fate })
      assert.deepEqual((yield* deliveriesOf(active)).map(withoutId), [expected(active, "pending")])
      assert.deepEqual((yield* deliveriesOf(paused)).map(withoutId), [expected(paused, "held")])
      assert.deepEqual((yield* deliveriesOf(disabled)).map(withoutId), [expected(disabled, "held")])
      assert.deepEqual(yield* deliveriesOf(deleted), [])
      assert.deepEqual(yield* deliveriesOf(stranger), [])
      assert.deepEqual(yield* deliveriesOf(uninterested), [])
      const { deliveryId } = yield* newestOf(active)
      const jobs = yield* jobsOf(active)
      assert.deepEqual(jobs, [{ _tag: "Deliver", deliveryId, turn: 1 }])
      const due = yield* (yield* Attempts).due({ deliveryId, turn: 1 })
      assert.deepEqual(due?.event, event)
    })
  },
  {
    says: "law 1: a write that is undone leaves no event, no delivery and no job",
    check: Effect.gen(function* () {
      const endpoint = yield* anEndpoint(yield* scaleOrganization)
      const event = anEvent()
      const { publish, replay, replayWindow } = yield* Deliveries
      const publishing = publish({ organizationId: endpoint.organizationId, event })
      yield* publishEvent(endpoint.organizationId, beganMs - 1)
      const before = yield* newestOf(endpoint)
      yield* jobsOf(endpoint)
      const { deliveryId } = before
      const place = placeOf(endpoint)
      const work = Effect.all([
        publishing,
        replay({ ...place, deliveryId, nowMs: beganMs + 1 }),
        replayWindow({ ...place, sinceMs: 0, untilMs: beganMs + 1, nowMs: beganMs + 2 })
      ])
      yield* inWrite(work, "Undo")
      assert.deepEqual(yield* deliveriesOf(endpoint), [before])
      assert.deepEqual(yield* jobsOf(endpoint), [])
      assert.equal(yield* inWrite(publishing).pipe(Effect.map(({ _tag }) => _tag)), "Committed")
      assert.equal((yield* jobsOf(endpoint)).length, 1)
    })
  },
  {
    says: "law 2: without the pack events are held, and a test key, which has no row, needs none",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "build" })
      const [off, sandbox] = [yield* anEndpoint(organizationId), yield* anEndpoint(rowless())]
      yield* publishEvent(off.organizationId)
      yield* publishEvent(sandbox.organizationId)
      assert.equal((yield* newestOf(off)).status, "held")
      assert.equal((yield* newestOf(sandbox)).status, "pending")
    })
  },
  {
    says: "law 3: pages by status give each delivery once, newest first, while others are written",
    check: Effect.gen(function* () {
      const endpoint = yield* anEndpoint(rowless())
      for (let nth = 0; nth < 7; nth++) yield* publishEvent(endpoint.organizationId, beganMs + nth)
      const all = yield* deliveriesOf(endpoint)
      assert.deepEqual(
        all.map(({ createdAtMs }) => createdAtMs - beganMs),
        [6, 5, 4, 3, 2, 1, 0]
      )
      const { list } = yield* Deliveries
      const seen: Array<Delivery> = []
      let before: number | null = null
      do {
        const page: Effect.Success<ReturnType<typeof list>> = yield* list({
          ...placeOf(endpoint),
          status: "pending",
          before,
          limit: 3
        })
        seen.push(...page.deliveries)
        before = page.next
        yield* publishEvent(endpoint.organizationId, beganMs + 100)
      } while (before !== null)
      assert.deepEqual(seen, all)
      for (const status of deliveryStatuses.filter((each) => each !== "pending")) {
        const none = yield* list({ ...placeOf(endpoint), status, before: null, limit: 3 })
        assert.deepEqual(none, { deliveries: [], next: null })
      }
      const exact = yield* list({ ...placeOf(endpoint), status: null, before: null, limit: seen.length + 3 })
      assert.equal(exact.next, null)
    })
  },
  {
    says: "law 4: a replay begins again from the first step under the same webhook-id, with a job of its own",
    check: Effect.gen(function* () {
      const { replay } = yield* Deliveries
      const endpoint = yield* anEndpoint(yield* scaleOrganization)
      const event = yield* publishEvent(endpoint.organizationId)
      const { deliveryId } = yield* newestOf(endpoint)
      yield* settled(deliveryId, 1, 200)
      yield* jobsOf(endpoint)
      const again = yield* replay({ ...placeOf(endpoint), deliveryId, nowMs: beganMs + 9_000 })
      assert.deepEqual(again, yield* newestOf(endpoint))
      assert.equal(again?.webhookId, event.webhookId)
      assert.deepEqual(
        [again?.status, again?.attempts, again?.step, again?.httpStatus, again?.nextAttemptAtMs],
        ["pending", 1, 0, 200, beganMs + 9_000]
      )
      const [job, ...more] = yield* jobsOf(endpoint)
      assert.ok(job?._tag === "Deliver" && more.length === 0)
      assert.ok((yield* (yield* Attempts).due(job)) !== undefined)
      const strangers = { organizationId: rowless(), endpointId: endpoint.endpointId }
      assert.equal(yield* replay({ ...strangers, deliveryId, nowMs: beganMs }), undefined)
      assert.equal(
        yield* replay({ ...placeOf(endpoint), deliveryId: deliveryId + 1_000, nowMs: beganMs }),
        undefined
      )
      yield* changeEndpoint(endpoint, "deleted")
      assert.equal(yield* replay({ ...placeOf(endpoint), deliveryId, nowMs: beganMs }), undefined)
    })
  },
  {
    says: "law 4: a window replays what was created in it, held ones too, without its end and tests",
    check: Effect.gen(function* () {
      const { replayWindow, record } = yield* Deliveries
      const organizationId = yield* scaleOrganization
      const [endpoint, other] = [yield* anEndpoint(organizationId), yield* anEndpoint(organizationId)]
      yield* changeEndpoint(endpoint, "set_paused")
      for (const atMs of [0, 1_000, 2_000, 3_000]) yield* publishEvent(organizationId, beganMs + atMs)
      yield* record(aTest(endpoint, beganMs + 1_500))
      yield* changeEndpoint(endpoint, "set_active")
      yield* jobsOf(endpoint)
      const othersBefore = yield* deliveriesOf(other)
      const window = { sinceMs: beganMs + 1_000, untilMs: beganMs + 3_000, nowMs: beganMs + 60_000 }
      assert.equal(yield* replayWindow({ ...placeOf(endpoint), ...window }), 2)
      assert.deepEqual(
        (yield* deliveriesOf(endpoint)).map(({ event, status, nextAttemptAtMs }) => [
          event,
          status,
          nextAttemptAtMs
        ]),
        [
          ["test.ping", "delivered", null],
          ["compliance.acknowledged", "held", null],
          ["compliance.acknowledged", "pending", beganMs + 60_000],
          ["compliance.acknowledged", "pending", beganMs + 60_000],
          ["compliance.acknowledged", "held", null]
        ]
      )
      assert.deepEqual(yield* deliveriesOf(other), othersBefore)
      assert.deepEqual(
        (yield* jobsOf(endpoint)).map(({ _tag }) => _tag),
        ["Resume"]
      )
      const nobody = { organizationId: rowless(), endpointId: endpoint.endpointId }
      assert.equal(yield* replayWindow({ ...nobody, ...window }), 0)
      assert.equal(yield* replayWindow({ ...placeOf(endpoint), ...window, sinceMs: beganMs + 9_000 }), 0)
    })
  },
  {
    says: "law 5: a test's row is kept as it is given, and replaying it changes nothing",
    check: Effect.gen(function* () {
      const { record, replay } = yield* Deliveries
      const endpoint = yield* anEndpoint(rowless())
      const row = aTest(endpoint, beganMs)
      const kept = yield* record(row)
      assert.deepEqual(withoutId(kept), row)
      assert.deepEqual(yield* deliveriesOf(endpoint), [kept])
      const { deliveryId } = kept
      assert.deepEqual(yield* replay({ ...placeOf(endpoint), deliveryId, nowMs: beganMs + 1 }), kept)
      assert.deepEqual(yield* deliveriesOf(endpoint), [kept])
      assert.deepEqual(yield* jobsOf(endpoint), [])
    })
  }
]

/** What they keep when two processes share the store. */
export const sharedDeliveriesLaws: ReadonlyArray<Law<Webhooks | WebhooksElsewhere>> = [
  {
    says: "law 1: another process has a delivery's job as soon as the write commits, and not before",
    check: Effect.gen(function* () {
      const elsewhere = yield* WebhooksElsewhere
      const endpoint = yield* anEndpoint(rowless())
      const there = Effect.provide(jobsOf(endpoint), elsewhere)
      const inside = Effect.andThen(publishEvent(endpoint.organizationId), there)
      const written = yield* inWrite(inside)
      assert.deepEqual(written._tag === "Committed" ? written.value : undefined, [])
      assert.deepEqual(
        (yield* there).map(({ _tag }) => _tag),
        ["Deliver"]
      )
    })
  }
]

const withoutId = ({ deliveryId: _, ...delivery }: Delivery) => delivery

const aTest = ({ organizationId, endpointId }: Endpoint, nowMs: number) =>
  testDelivery({ organizationId, endpointId, webhookId: anEvent().webhookId, nowMs }, answeredWith(204))

const settled = (deliveryId: number, turn: number, status: number) =>
  Effect.flatMap(Attempts, ({ settle }) =>
    settle({
      deliveryId,
      turn,
      outcome: answeredWith(status),
      beganMs,
      nowMs: beganMs + 50,
      random: 0.5,
      policy: deliveryPolicy
    })
  )
