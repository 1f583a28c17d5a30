import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { endpointsMax } from "../../core/webhook/Endpoint.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import {
  endpointTriggers,
  moveEndpoint,
  patchEndpoint,
  rotateEndpointSecret
} from "../../core/webhook/transitions.ts"
import type { EndpointTransition } from "../../core/webhook/transitions.ts"
import type { Law } from "./Law.ts"
import { runs } from "./runs.ts"
import {
  anEndpoint,
  beganMs,
  inWrite,
  jobsOf,
  changeEndpoint,
  newEndpoint,
  placeOf,
  plain,
  rowless,
  scaleOrganization,
  sealedOf
} from "./webhookFixtures.ts"
import { WebhooksElsewhere } from "./webhooks.ts"
import type { Webhooks } from "./webhooks.ts"

/** What every store of endpoints keeps (core/port/Endpoints.ts). */
export const endpointsLaws: ReadonlyArray<Law<Webhooks>> = [
  {
    says: "law 1: for any history it answers as the kernel folded over that history",
    check: Effect.suspend(() =>
      Effect.forEach(fc.sample(histories, { numRuns: runs(25), seed: 5 }), follow, { discard: true })
    )
  },
  {
    says: "law 2: of 60 creates at once 50 are kept and 10 are full; a deleted one makes room",
    check: Effect.gen(function* () {
      const { create, list } = yield* Endpoints
      const organizationId = rowless()
      const one = create(newEndpoint(organizationId))
      const kept = yield* Effect.all(
        Array.from({ length: endpointsMax + 10 }, () => one),
        { concurrency: "unbounded" }
      )
      assert.equal(kept.filter((each) => each === "full").length, 10)
      const [first] = yield* list(organizationId)
      assert.equal((yield* list(organizationId)).length, endpointsMax)
      assert.ok(first)
      yield* changeEndpoint(first, "deleted")
      assert.notEqual(yield* one, "full")
      assert.equal(yield* one, "full")
      assert.notEqual(yield* create(newEndpoint(rowless())), "full")
    })
  },
  {
    says: "law 3: of thirty changes at once none is lost",
    check: Effect.gen(function* () {
      const endpoint = yield* anEndpoint(rowless())
      yield* Effect.all(
        Array.from({ length: 30 }, () => changeEndpoint(endpoint, "failed")),
        { concurrency: "unbounded" }
      )
      assert.equal((yield* found(endpoint))?.failureCount, 30)
    })
  },
  {
    says: "law 4: a deleted endpoint, or another organization's, is found by nobody and changed by nothing",
    check: Effect.gen(function* () {
      const { find, list, change } = yield* Endpoints
      const endpoint = yield* anEndpoint(rowless())
      const others = { ...placeOf(endpoint), organizationId: rowless() }
      const pausing = (each: Endpoint): EndpointTransition => moveEndpoint(each, "set_paused", beganMs)
      assert.equal(yield* find(others), undefined)
      assert.equal(yield* change(others, pausing), undefined)
      assert.deepEqual(yield* list(others.organizationId), [])
      assert.equal((yield* found(endpoint))?.status, "active")
      assert.equal((yield* changeEndpoint(endpoint, "deleted"))?.status, "deleted")
      assert.equal(yield* find(placeOf(endpoint)), undefined)
      assert.deepEqual(yield* list(endpoint.organizationId), [])
      assert.equal(yield* change(placeOf(endpoint), pausing), undefined)
    })
  },
  {
    says: "law 5: set active offers a job that resumes its deliveries, and no other change does",
    check: Effect.gen(function* () {
      const endpoint = yield* anEndpoint(yield* scaleOrganization)
      yield* changeEndpoint(endpoint, "set_paused")
      yield* changeEndpoint(endpoint, "failed")
      assert.deepEqual(yield* jobsOf(endpoint), [])
      yield* changeEndpoint(endpoint, "set_active")
      const jobs = yield* jobsOf(endpoint)
      assert.deepEqual(
        jobs.map(({ _tag }) => _tag),
        ["Resume"]
      )
    })
  },
  {
    says: "law 6: a write that is undone leaves no endpoint, no change and no job",
    check: Effect.gen(function* () {
      const { create, list } = yield* Endpoints
      const endpoint = yield* anEndpoint(rowless())
      const paused = (yield* changeEndpoint(endpoint, "set_paused")) ?? endpoint
      const work = Effect.all([
        create(newEndpoint(endpoint.organizationId)),
        changeEndpoint(endpoint, "set_active", beganMs + 1)
      ])
      yield* inWrite(work, "Undo")
      assert.deepEqual((yield* list(endpoint.organizationId)).map(plain), [plain(paused)])
      assert.deepEqual(yield* jobsOf(endpoint), [])
    })
  }
]

/** What they keep when two processes share the store. */
export const sharedEndpointsLaws: ReadonlyArray<Law<Webhooks | WebhooksElsewhere>> = [
  {
    says: "law 6: another process sees at once what was created and changed",
    check: Effect.gen(function* () {
      const elsewhere = yield* WebhooksElsewhere
      const endpoint = yield* anEndpoint(rowless())
      const there = Effect.provide(found(endpoint), elsewhere)
      assert.deepEqual(yield* there, endpoint)
      yield* changeEndpoint(endpoint, "set_paused", beganMs + 5)
      assert.deepEqual(yield* there, { ...endpoint, status: "paused", updatedAtMs: beganMs + 5 })
    })
  },
  {
    says: "law 2: two processes together keep no more than fifty either",
    check: Effect.gen(function* () {
      const elsewhere = yield* WebhooksElsewhere
      const organizationId = rowless()
      const creates = Effect.gen(function* () {
        const { create } = yield* Endpoints
        return yield* Effect.all(
          Array.from({ length: 30 }, () => create(newEndpoint(organizationId))),
          { concurrency: "unbounded" }
        )
      })
      const both = yield* Effect.all([creates, Effect.provide(creates, elsewhere)], { concurrency: 2 })
      assert.equal(both.flat().filter((each) => each === "full").length, 10)
    })
  }
]

const found = (endpoint: Endpoint) =>
  Effect.flatMap(Endpoints, ({ find }) => Effect.map(find(placeOf(endpoint)), (each) => each && plain(each)))

type Step =
  | { readonly _tag: "Create"; readonly owner: number }
  | { readonly _tag: "Change"; readonly owner: number; readonly nth: number; readonly move: Move }
type Move = (endpoint: Endpoint, nowMs: number) => EndpointTransition

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.constantFrom(...endpointTriggers).map(
    (trigger): Move =>
      (each, nowMs) =>
        moveEndpoint(each, trigger, nowMs)
  ),
  fc
    .record(
      {
        url: fc.constantFrom("https://one.example.com/a", "https://two.example.com/b?c=d"),
        events: fc.constantFrom(["*" as const], ["compliance.acknowledged" as const, "*" as const]),
        status: fc.constantFrom("active" as const, "paused" as const)
      },
      { requiredKeys: [] }
    )
    .map(
      (patch): Move =>
        (each, nowMs) =>
          patchEndpoint(each, patch, nowMs)
    ),
  fc.constant<Move>((each, nowMs) => rotateEndpointSecret(each, sealedOf(nowMs), nowMs))
)

const owners = fc.nat({ max: 1 })

const histories: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    owners.map((owner): Step => ({ _tag: "Create", owner })),
    fc.record({ _tag: fc.constant("Change" as const), owner: owners, nth: fc.nat({ max: 3 }), move: moves })
  ),
  { minLength: 1, maxLength: 12 }
)

/** Performs the history and folds the kernel over it beside, comparing what both know after each step. */
const follow = Effect.fnUntraced(function* (history: ReadonlyArray<Step>) {
  const { create, list, change } = yield* Endpoints
  const organizations: ReadonlyArray<OrganizationId> = [rowless(), rowless()]
  const model = new Map<number, Endpoint>()
  let nowMs = beganMs
  for (const step of history) {
    nowMs += 1_000
    const organizationId = organizations[step.owner]
    assert.ok(organizationId)
    if (step._tag === "Create") {
      const kept = yield* create(newEndpoint(organizationId, { nowMs }))
      assert.notEqual(kept, "full")
      if (kept !== "full") model.set(kept.endpointId, plain(kept))
    } else {
      const known = [...model.values()][step.nth]
      if (known === undefined) continue
      const owned = known.organizationId === organizationId && known.status !== "deleted"
      // Drawn once, since a rotation draws a secret.
      const expected = step.move(known, nowMs)
      const said = yield* change({ organizationId, endpointId: known.endpointId }, (endpoint) => {
        assert.deepEqual(plain(endpoint), known)
        return expected
      })
      assert.deepEqual(said && plain(said), owned ? expected.endpoint : undefined)
      if (owned) model.set(known.endpointId, plain(expected.endpoint))
    }
    for (const owner of organizations) {
      const shown = [...model.values()].filter(
        (each) => each.organizationId === owner && each.status !== "deleted"
      )
      assert.deepEqual((yield* list(owner)).map(plain), shown)
    }
  }
})
