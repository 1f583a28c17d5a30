import { deepStrictEqual, ok } from "node:assert/strict"
import * as Effect from "effect/Effect"
import { countReviews } from "../../core/compliance/stats.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { changeTypes } from "../../core/coverage/revise.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import type { RecordedChange } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import { Reviews } from "../../core/port/Reviews.ts"
import type { UnreviewedQuery } from "../../core/port/Reviews.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { snapshotOf, time } from "./library.ts"
import { anyDocument } from "./libraryArbitraries.ts"
import { withSeed } from "./withSeed.ts"
import { rowless } from "./webhookFixtures.ts"

const times = ["2026-03-05T23:59:59.999Z", "2026-03-06T00:00:00.000Z", "2026-03-06T10:00:00.001Z"].map(time)

/** What every library tells of reviews (core/port/Reviews.ts); each check wants an empty library. */
export const reviewsLaws: ReadonlyArray<Law<Reviews | Acknowledgements | Policies | Snapshots>> = [
  {
    says: "law 1: an id that a change has names its policy, and no other id names one",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const recorded = yield* fill(draw(anyDocument, 20))
        const reviews = yield* Reviews
        const ids = recorded.map(({ diffId }) => diffId)
        const named = yield* reviews.named([...ids.slice(3), 9_000_000, 0, ids[3] ?? 0])
        deepStrictEqual(
          named,
          new Map(recorded.slice(3).map(({ diffId, policy }) => [diffId, policy.policyId] as const))
        )
        deepStrictEqual(yield* reviews.named([]), new Map())
      })
    )
  },
  {
    says: "law 2: unreviewed are those of the time and type that the organization has not acknowledged",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const recorded = yield* fill(draw(anyDocument, 60))
        const [one, other] = [rowless(), rowless()]
        const seen = yield* acknowledgeSome(one, recorded)
        for (const organizationId of [one, other])
          for (const since of times)
            for (const changeType of [null, ...changeTypes]) {
              const expected = recorded.filter(
                (change) =>
                  change.changedAt >= since &&
                  (changeType === null || change.changeType === changeType) &&
                  !(organizationId === one && seen.has(change.diffId))
              )
              const found = yield* pages({ organizationId, since, changeType, before: null, limit: 7 })
              deepStrictEqual(found, expected)
            }
      })
    )
  },
  {
    says: "law 3: the counts are the kernel's over the changes since the time, for each organization its own",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const recorded = yield* fill(draw(anyDocument, 60))
        const [one, other] = [rowless(), rowless()]
        const seen = yield* acknowledgeSome(one, recorded)
        const { counts } = yield* Reviews
        for (const since of times) {
          const since30 = recorded.filter(({ changedAt }) => changedAt >= since)
          const facts = since30.map(({ changeType, diffId }) => ({
            changeType,
            acknowledged: seen.has(diffId)
          }))
          deepStrictEqual(yield* counts({ organizationId: one, since }), countReviews(facts))
          const none = facts.map((each) => ({ ...each, acknowledged: false }))
          deepStrictEqual(yield* counts({ organizationId: other, since }), countReviews(none))
        }
      })
    )
  }
]

/** Keeps the documents over three times, and gives every change there is then, newest first. */
const fill = Effect.fnUntraced(function* (documents: ReadonlyArray<Parameters<typeof keepOne>[0]>) {
  for (const [index, document] of documents.entries()) {
    const at = times[Math.trunc((index * times.length) / documents.length)]
    if (at !== undefined) yield* keepOne(document, at)
  }
  const { changes: list } = yield* Policies
  const all = { since: null, policyId: null, changeType: null, policyType: null, before: null, limit: 10_000 }
  const { changes } = yield* list(all)
  ok(changes.length > 3)
  return changes
})

const keepOne = (document: PolicyDocument, at: IsoTime) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    snapshots.saveHistory({ snapshot: snapshotOf({}), documents: [document], at })
  )

/** Every third, in one call. */
const acknowledgeSome = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  recorded: ReadonlyArray<RecordedChange>
) {
  const some = recorded.filter((_, nth) => nth % 3 === 1)
  const changes = some.map(({ diffId, policy }) => ({ diffId, policyId: policy.policyId }))
  const at = times[2]
  if (at !== undefined)
    yield* (yield* Acknowledgements).acknowledge({ organizationId, changes, notes: null, at })
  return new Set(some.map(({ diffId }) => diffId))
})

const pages = Effect.fnUntraced(function* (query: UnreviewedQuery) {
  const { unreviewed } = yield* Reviews
  const found: Array<RecordedChange> = []
  let before: number | null = query.before
  do {
    const page: Effect.Success<ReturnType<typeof unreviewed>> = yield* unreviewed({ ...query, before })
    found.push(...page.changes)
    ok(page.changes.length <= query.limit && (page.next === null || page.changes.length === query.limit))
    before = page.next
  } while (before !== null)
  return found
})
