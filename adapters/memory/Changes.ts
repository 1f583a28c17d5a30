import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ChangesQuery, RecordedChange } from "../../core/port/Changes.ts"
import { Changes } from "../../core/port/Changes.ts"
import { Library } from "./Library.ts"

/** What changed in the policies, kept in the process. */
export const layer = Layer.effect(
  Changes,
  Effect.map(Library, ({ changes, policies }) =>
    Changes.of({
      list: (query) =>
        Effect.sync(() => {
          const found = changes
            .flatMap(({ policyId, ...change }): ReadonlyArray<RecordedChange> => {
              const newest = policies.get(policyId)?.at(-1)
              return newest === undefined ? [] : [{ ...change, policy: newest.policy, title: newest.title }]
            })
            .filter((change) => admits(query, change))
            .toSorted((a, b) => b.diffId - a.diffId)
          const page = found.slice(0, query.limit)
          return {
            changes: page,
            next: found.length > query.limit ? (page.at(-1)?.diffId ?? null) : null
          }
        })
    })
  )
)

const admits = (query: ChangesQuery, change: RecordedChange): boolean =>
  (query.since === null || change.changedAt >= query.since) &&
  (query.policyId === null || change.policy.policyId === query.policyId) &&
  (query.changeType === null || change.changeType === query.changeType) &&
  (query.policyType === null || change.policy.policyType === query.policyType) &&
  (query.before === null || change.diffId < query.before)
