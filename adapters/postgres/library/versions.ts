import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { PolicyVersion } from "../../../core/coverage/Policy.ts"
import type { VersionRow } from "./versionRow.ts"
import { versionOf } from "./versionRow.ts"
import type { VersionKey, VersionCache } from "./versionCache.ts"

/** The versions of these keys in their order; only those that are not on the cache are fetched and parsed. */
export const versionsOf = Effect.fnUntraced(function* (
  sql: SqlClient,
  cache: VersionCache,
  keys: ReadonlyArray<VersionKey>
) {
  const atHand = keys.map((key) => cache.take(key))
  const missing = keys.filter((_, index) => atHand[index] === undefined)
  if (missing.length === 0) return atHand.filter((version) => version !== undefined)
  const fetched = yield* fetchedOf(sql, missing)
  for (const version of fetched.values()) cache.put(keyOf(version), version)
  return keys.flatMap((key, index): ReadonlyArray<PolicyVersion> => {
    const version = atHand[index] ?? fetched.get(key.policyId)
    return version === undefined ? [] : [version]
  })
})

/** By primary key, all in one statement; no two keys are of one policy. */
const fetchedOf = (sql: SqlClient, keys: ReadonlyArray<VersionKey>) =>
  Effect.map(
    sql<VersionRow>`select v.narrative, v.criteria, v.code_groups
      from unnest(${keys.map((key) => key.policyId)}::text[], ${keys.map((key) => key.version)}::int4[])
        as asked (policy_id, version)
      join policy_version v on v.policy_id = asked.policy_id and v.version = asked.version`,
    (rows) => new Map(rows.map(versionOf).map((version) => [version.policy.policyId, version] as const))
  )

const keyOf = (version: PolicyVersion): VersionKey => ({
  policyId: version.policy.policyId,
  version: version.version
})
