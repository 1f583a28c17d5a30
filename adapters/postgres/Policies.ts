import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { IsoDate, IsoTime } from "../../core/coverage/date.ts"
import type { PolicyId, PolicyStatus, PolicyVersion } from "../../core/coverage/Policy.ts"
import type { PolicyOnDate, PolicyRevision } from "../../core/port/Policies.ts"
import { Policies, PoliciesUnavailable } from "../../core/port/Policies.ts"
import { PipelinedClient, Pool, unavailable } from "./Database.ts"
import { candidateKeys } from "./library/candidates.ts"
import { criteria } from "./library/criteria.ts"
import { inForce } from "./library/inForce.ts"
import { plainText } from "./library/plainText.ts"
import { search } from "./library/search.ts"
import { timeText } from "./library/timeText.ts"
import { versionsOf } from "./library/versions.ts"
import type { VersionCache } from "./library/versionCache.ts"
import { makeVersionCache, cacheCharactersMax } from "./library/versionCache.ts"

/**
 * Policies in PostgreSQL: one by its primary keys over the multiplexed client, lists and search over the
 * pool.
 */
export const layer = Layer.effect(
  Policies,
  Effect.gen(function* () {
    const pool = yield* Pool
    const multiplexed = yield* PipelinedClient
    const cache = makeVersionCache(cacheCharactersMax)
    const away = unavailable((fault) => new PoliciesUnavailable({ fault }))
    return Policies.of({
      find: (query) => away(read(multiplexed, cache, query)),
      search: (query) => away(search(pool, query)),
      history: (policyId) => away(Effect.map(revisions(pool, policyId), (rows) => rows.map(revisionOf))),
      candidates: (query) =>
        away(Effect.flatMap(candidateKeys(pool, query), (keys) => versionsOf(pool, cache, keys))),
      criteria: (query) => away(criteria(pool, query)),
      inForce: (query) => away(inForce(pool, query))
    })
  })
)

/** Where the policy stands is always asked; the version itself only when it is not at hand. */
const read = Effect.fnUntraced(function* (
  sql: SqlClient,
  cache: VersionCache,
  query: { readonly policyId: PolicyId; readonly asOf: IsoDate }
) {
  const [standing] = yield* standings(sql, query)
  if (standing === undefined) return undefined
  const [version] = yield* versionsOf(sql, cache, [{ policyId: query.policyId, version: standing.version }])
  return version && readingOf(standing, version)
})

interface StoredPolicy {
  readonly version: number
  readonly status: PolicyStatus
  readonly created_at: IsoTime
  readonly updated_at: IsoTime
  readonly related_titles: Readonly<Record<string, string>> | null
}

const standings = (sql: SqlClient, query: { readonly policyId: PolicyId; readonly asOf: IsoDate }) =>
  sql<StoredPolicy>`
    select s.version, s.status,
      ${timeText(sql, "p.created_at")} as created_at, ${timeText(sql, "p.updated_at")} as updated_at,
      (select json_object_agg(r.policy_id, r.title) from policy r where r.policy_id = any(s.related)) as related_titles
    from policy p
    join lateral (
      select version, status, related from policy_span where policy_id = p.policy_id and first_day <= ${query.asOf}
      order by first_day desc limit 1) s on true
    where p.policy_id = ${plainText(query.policyId)}`

const readingOf = (standing: StoredPolicy, version: PolicyVersion): PolicyOnDate => ({
  version,
  status: standing.status,
  createdAt: standing.created_at,
  updatedAt: standing.updated_at,
  relatedTitles: new Map(
    Object.entries(standing.related_titles ?? {}).map(([id, title]) => [id as PolicyId, title])
  )
})

interface RevisionRow {
  readonly old_version: number | null
  readonly new_version: number
  readonly change_type: string
  readonly change_summary: string
  readonly changed_fields: ReadonlyArray<string>
  readonly changed_at: IsoTime
}

const revisions = (sql: SqlClient, policyId: PolicyId) =>
  sql<RevisionRow>`
    select old_version, new_version, change_type, change_summary, changed_fields,
      ${timeText(sql, "changed_at")} as changed_at
    from policy_change where policy_id = ${plainText(policyId)} order by diff_id`

const revisionOf = (row: RevisionRow): PolicyRevision => ({
  oldVersion: row.old_version,
  newVersion: row.new_version,
  changeType: row.change_type,
  changeSummary: row.change_summary,
  changedFields: row.changed_fields,
  changedAt: row.changed_at
})
