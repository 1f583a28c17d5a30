import type { SqlClient } from "effect/sql/SqlClient"
import type { CandidatesQuery } from "../../../core/port/Policies.ts"
import { inForceStatus, standingOn } from "./filterSpans.ts"
import { plainText } from "./plainText.ts"
import type { VersionKey } from "./versionCache.ts"

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
