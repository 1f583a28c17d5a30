import type { ChangesQuery, RecordedChange } from "../../core/port/Policies.ts"
import type { Library } from "./Library.ts"

/** What changed in the policies: one page, newest first. */
export const changesPage = (
  { changes, policies }: Pick<typeof Library.Service, "changes" | "policies">,
  query: ChangesQuery
) => {
  const found = changes
    .flatMap(({ policyId, ...change }): ReadonlyArray<RecordedChange> => {
      const newest = policies.get(policyId)?.at(-1)
      return newest === undefined ? [] : [{ ...change, policy: newest.policy, title: newest.title }]
    })
    .filter((change) => admits(query, change))
    .toSorted((a, b) => b.diffId - a.diffId)
  const page = found.slice(0, query.limit)
  return { changes: page, next: found.length > query.limit ? (page.at(-1)?.diffId ?? null) : null }
}

const admits = (query: ChangesQuery, change: RecordedChange): boolean =>
  (query.since === null || change.changedAt >= query.since) &&
  (query.policyId === null || change.policy.policyId === query.policyId) &&
  (query.changeType === null || change.changeType === query.changeType) &&
  (query.policyType === null || change.policy.policyType === query.policyType) &&
  (query.before === null || change.diffId < query.before)
