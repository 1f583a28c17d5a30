import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { PolicyId } from "../../core/coverage/Policy.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import type { Law } from "./Law.ts"
import { inWrite, rowless } from "./webhookFixtures.ts"
import { WebhooksElsewhere } from "./webhooks.ts"
import type { Webhooks } from "./webhooks.ts"

/** What every store of acknowledgements keeps (core/port/Acknowledgements.ts). */
export const acknowledgementsLaws: ReadonlyArray<Law<Webhooks>> = [
  {
    says: "law 1: each change is acknowledged once, new in the order named, and known afterwards",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      const first = yield* acknowledge(organizationId, [7, 3, 5], "seen")
      assert.deepEqual(
        first.fresh.map(({ acknowledgementId: _, ...each }) => each),
        [7, 3, 5].map((diffId) => ({
          organizationId,
          diffId,
          policyId: policyOf(diffId),
          notes: "seen",
          acknowledgedAt: at
        }))
      )
      assert.deepEqual(first.earlier, [])
      assert.equal(new Set(first.fresh.map(({ acknowledgementId }) => acknowledgementId)).size, 3)
      const second = yield* acknowledge(organizationId, [9, 7, 3], null)
      assert.deepEqual(
        second.fresh.map(({ diffId, notes }) => [diffId, notes]),
        [[9, null]]
      )
      assert.deepEqual(second.earlier, [first.fresh[1], first.fresh[0]])
      assert.deepEqual(yield* acknowledge(organizationId, [], null), { fresh: [], earlier: [] })
    })
  },
  {
    says: "law 1: of forty at once over one change one is new, in writes and out of them",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      const one = acknowledge(organizationId, [1], null)
      const all = yield* Effect.all(
        Array.from({ length: 40 }, (_, nth) => (nth % 2 === 0 ? one : kept(one))),
        { concurrency: "unbounded" }
      )
      assert.equal(all.filter(({ fresh }) => fresh.length === 1).length, 1)
      assert.equal(all.filter(({ earlier }) => earlier.length === 1).length, 39)
    })
  },
  {
    says: "law 1: of lists at once that overlap, named in any order, each change is new in one",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      const ids = Array.from({ length: 30 }, (_, index) => index + 1)
      const lists = [ids, ids.toReversed(), ids.slice(10), ids.slice(0, 20).toReversed()]
      const each = lists.map((list) => acknowledge(organizationId, list, null))
      const all = yield* Effect.all([...each, ...each.map(kept)], { concurrency: "unbounded" })
      assert.deepEqual(
        all.flatMap(({ fresh }) => fresh.map(({ diffId }) => diffId)).toSorted((one, other) => one - other),
        ids
      )
    })
  },
  {
    says: "law 2: one organization's acknowledgements are nothing to another",
    check: Effect.gen(function* () {
      const [one, other] = [rowless(), rowless()]
      yield* acknowledge(one, [1], null)
      assert.deepEqual(yield* among(other, [1]), new Set())
      assert.equal((yield* acknowledge(other, [1], null)).fresh.length, 1)
    })
  },
  {
    says: "law 3: a write that is undone has acknowledged nothing",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      yield* inWrite(acknowledge(organizationId, [1], null), "Undo")
      assert.deepEqual(yield* among(organizationId, [1]), new Set())
      assert.equal((yield* acknowledge(organizationId, [1], null)).fresh.length, 1)
    })
  },
  {
    says: "law 4: among tells exactly those that were acknowledged",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      yield* acknowledge(organizationId, [2, 4, 6], "it\0s")
      assert.deepEqual(yield* among(organizationId, [1, 2, 3, 4, 2]), new Set([2, 4]))
      assert.deepEqual(yield* among(organizationId, []), new Set())
    })
  }
]

/** What they keep when two processes share the store. */
export const sharedAcknowledgementsLaws: ReadonlyArray<Law<Webhooks | WebhooksElsewhere>> = [
  {
    says: "law 1: of two processes that acknowledge a change at once one is told that it is new",
    check: Effect.gen(function* () {
      const elsewhere = yield* WebhooksElsewhere
      const organizationId = rowless()
      for (let diffId = 1; diffId <= 20; diffId++) {
        const here = inWrite(acknowledge(organizationId, [diffId], null))
        const both = yield* Effect.all([here, Effect.provide(here, elsewhere)], { concurrency: 2 })
        const fresh = both.flatMap((written) => (written._tag === "Committed" ? written.value.fresh : []))
        assert.equal(fresh.length, 1)
        assert.deepEqual(yield* Effect.provide(among(organizationId, [diffId]), elsewhere), new Set([diffId]))
      }
    })
  }
]

const at = "2026-03-06T10:00:00.000Z" as IsoTime

const policyOf = (diffId: number): PolicyId => `L${diffId}` as PolicyId

const acknowledge = (organizationId: OrganizationId, diffIds: ReadonlyArray<number>, notes: string | null) =>
  Effect.flatMap(Acknowledgements, (acknowledgements) =>
    acknowledgements.acknowledge({
      organizationId,
      changes: diffIds.map((diffId) => ({ diffId, policyId: policyOf(diffId) })),
      notes,
      at
    })
  )

/** What was done in a write that commits. */
const kept = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(inWrite(work), (written) =>
    written._tag === "Committed" ? Effect.succeed(written.value) : Effect.die("the write did not commit")
  )

const among = (organizationId: OrganizationId, diffIds: ReadonlyArray<number>) =>
  Effect.flatMap(Acknowledgements, (acknowledgements) => acknowledgements.among({ organizationId, diffIds }))
