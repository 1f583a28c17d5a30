import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { PolicyId, PolicyStatus, PolicyVersion } from "../../core/coverage/Policy.ts"
import type { IsoDate, IsoTime } from "../../core/coverage/date.ts"
import type { PolicyOnDate, PolicyRevision, CandidatesQuery } from "../../core/port/Policies.ts"
import { Policies, PoliciesUnavailable } from "../../core/port/Policies.ts"
import { PipelinedClient, Pool, unavailable } from "./Database.ts"
import { listChanges } from "./library/changeRows.ts"
import { criteria } from "./library/criteria.ts"
import { inForceStatus, standingOn, onDay } from "./library/filterSpans.ts"
import { plainText } from "./library/plainText.ts"
import { search } from "./library/search.ts"
import { timeText } from "./library/timeText.ts"
import type { VersionCache, VersionKey } from "./library/versionCache.ts"
import { makeVersionCache, cacheCharactersMax } from "./library/versionCache.ts"
import type { VersionRow } from "./library/versionRow.ts"
import { versionOf } from "./library/versionRow.ts"

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
      changes: (query) => away(listChanges(pool, query)),
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

/**
 * Which versions may bear on the codes, by policy id: those in force that list one, those in force that these
 * relate and that those relate (an article's LCD, and the LCD's NCD), and the NCDs that a row of the table
 * from NCDs to codes names, joined here because a read of its own would come before this one. Indexes alone
 * answer it; no document is opened.
 */
export const candidateKeys = (sql: SqlClient, { asOf, codes }: CandidatesQuery) => sql<VersionKey>`
  with listing as materialized (
    select distinct k.policy_id, s.related from policy_code k ${standingOn(sql, asOf)}
    where k.code = any(${codes.map(plainText)}::text[]) and k.code_system in ('CPT', 'HCPCS')
      and k.version = s.version and ${inForceStatus(sql)}
  ), near as materialized (
    select k.policy_id, s.related
    from (select policy_id from listing union select unnest(related) from listing) k ${standingOn(sql, asOf)}
    where ${inForceStatus(sql)}
  ), wanted as (
    select policy_id from near
    union select unnest(related) from near
    union select policy_id from ncd_code where code = any(${codes.map(plainText)}::text[])
  )
  select s.policy_id as "policyId", s.version from wanted k ${standingOn(sql, asOf)}
  where ${inForceStatus(sql)}
  order by s.policy_id`

/**
 * The versions in force on the day, a page by policy id. They are not put on the cache: whoever reads all of
 * them would push off it what callers read often.
 */
export const inForce = (
  sql: SqlClient,
  query: { readonly asOf: IsoDate; readonly after: PolicyId | null; readonly limit: number }
) =>
  Effect.map(
    sql<VersionRow>`select v.narrative, v.criteria, v.code_groups
      from (select s.policy_id, s.version from policy_span s
        where ${onDay(sql, query.asOf)} and ${inForceStatus(sql)} and s.policy_id > ${query.after ?? ""}
        order by s.policy_id limit ${query.limit}) as standing
      join policy_version v on v.policy_id = standing.policy_id and v.version = standing.version
      order by v.policy_id`,
    (rows) => rows.map(versionOf)
  )

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
