import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { countReviews } from "../../core/compliance/stats.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import type { RecordedChange } from "../../core/port/Policies.ts"
import { Reviews, ReviewsUnavailable } from "../../core/port/Reviews.ts"
import { Library } from "./Library.ts"

/**
 * The changes of a library in the process by what is acknowledged of them, wherever that is kept: the
 * sandbox's fixtures are in every process, and its acknowledgements in the one store.
 */
export const layer = Layer.effect(
  Reviews,
  Effect.gen(function* () {
    const { changes, policies } = yield* Library
    const { among } = yield* Acknowledgements

    /** Newest first, with whether the organization has acknowledged each. */
    const since = (organizationId: OrganizationId, time: IsoTime) =>
      Effect.suspend(() => {
        const recorded = changes
          .filter(({ changedAt }) => changedAt >= time)
          .flatMap(({ policyId, ...change }): ReadonlyArray<RecordedChange> => {
            const newest = policies.get(policyId)?.at(-1)
            return newest === undefined ? [] : [{ ...change, policy: newest.policy, title: newest.title }]
          })
          .toSorted((one, other) => other.diffId - one.diffId)
        return among({ organizationId, diffIds: recorded.map(({ diffId }) => diffId) }).pipe(
          Effect.map((known) =>
            recorded.map((change) => ({ change, acknowledged: known.has(change.diffId) }))
          ),
          Effect.mapError(({ fault }) => new ReviewsUnavailable({ fault }))
        )
      })

    return Reviews.of({
      named: (diffIds) =>
        Effect.sync(() => {
          const asked = new Set(diffIds)
          return new Map(
            changes
              .filter(({ diffId }) => asked.has(diffId))
              .map(({ diffId, policyId }) => [diffId, policyId] as const)
          )
        }),
      unreviewed: (query) =>
        Effect.map(since(query.organizationId, query.since), (all) => {
          const open = all
            .filter(({ acknowledged }) => !acknowledged)
            .map(({ change }) => change)
            .filter(({ changeType }) => query.changeType === null || changeType === query.changeType)
            .filter(({ diffId }) => query.before === null || diffId < query.before)
          const page = open.slice(0, query.limit)
          return { changes: page, next: open.length > page.length ? (page.at(-1)?.diffId ?? null) : null }
        }),
      counts: ({ organizationId, since: time }) =>
        Effect.map(since(organizationId, time), (all) =>
          countReviews(
            all.map(({ change, acknowledged }) => ({ changeType: change.changeType, acknowledged }))
          )
        )
    })
  })
)
