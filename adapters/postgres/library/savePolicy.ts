import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { IsoTime } from "../../../core/coverage/date.ts"
import type { PolicyDocument, PolicyId, PolicyVersion } from "../../../core/coverage/Policy.ts"
import type { DatedVersion } from "../../../core/coverage/reading.ts"
import type { PolicyChange } from "../../../core/coverage/revise.ts"
import { revise } from "../../../core/coverage/revise.ts"
import { jurisdictionsOf, policyCodes, searchTextOf, summaryOf } from "../../../core/coverage/view.ts"
import { listedCodesMax, listingCoreOf } from "../../../core/port/listing.ts"
import type { SaveResult, Snapshot } from "../../../core/port/Snapshots.ts"
import { plainText } from "./plainText.ts"
import { spansOf } from "./spans.ts"
import type { VersionRow } from "./versionRow.ts"
import { rowOf, versionOf } from "./versionRow.ts"

/** PostgreSQL refuses a text whose index entry passes a megabyte: of compound words 400,000 characters do. */
export const searchBodyCharactersMax = 150_000

/**
 * Keeps one document; runs within a transaction. The policy's row is locked, so two imports take their turns.
 */
const savePolicy = Effect.fnUntraced(function* (
  sql: SqlClient,
  input: {
    readonly snapshot: Snapshot
    readonly document: PolicyDocument
    readonly fingerprint: string
    readonly at: IsoTime
  }
): Effect.fn.Return<SaveResult, SqlError> {
  const { at, document, fingerprint, snapshot } = input
  const id = document.policy.policyId
  const previous = yield* lockNewest(sql, { id, at })
  const revision = revise({ previous, document, fingerprint, at })
  if (revision._tag === "Unchanged") return revision
  const { change, version } = revision
  yield* appendVersion(sql, version, snapshot)
  yield* appendCodes(sql, version)
  yield* appendPassages(sql, version)
  if (change !== null) yield* appendChange(sql, { change, version, oldVersion: previous?.version ?? null })
  yield* sql`update policy set title = ${plainText(version.title)}, newest_version = ${version.version},
    updated_at = ${at} where policy_id = ${id}`
  yield* rewriteSpans(sql, id)
  return { _tag: "Recorded", version: version.version, changed: change !== null }
})

/**
 * Keeps all documents of one policy, oldest first, or the newest where the policy is known; runs within a
 * transaction.
 */
export const saveHistory = Effect.fnUntraced(function* (
  sql: SqlClient,
  input: {
    readonly snapshot: Snapshot
    readonly documents: ReadonlyArray<PolicyDocument>
    readonly fingerprintOf: (document: PolicyDocument) => string
    readonly at: IsoTime
  }
): Effect.fn.Return<ReadonlyArray<SaveResult>, SqlError> {
  const { at, documents, fingerprintOf, snapshot } = input
  const newest = documents.at(-1)
  if (newest === undefined) return []
  const isKnown = (yield* lockPolicy(sql, { id: newest.policy.policyId, at })) > 0
  return yield* Effect.forEach(isKnown ? [newest] : documents, (document) =>
    savePolicy(sql, { snapshot, document, fingerprint: fingerprintOf(document), at })
  )
})

/** Locks the policy's row, made if need be, and answers the number of its newest version, 0 for none. */
const lockPolicy = Effect.fnUntraced(function* (
  sql: SqlClient,
  policy: { readonly id: PolicyId; readonly at: IsoTime }
) {
  yield* sql`insert into policy (policy_id, created_at, updated_at) values (${policy.id}, ${policy.at}, ${policy.at})
    on conflict do nothing`
  const [row] = yield* sql<{ readonly newest_version: number }>`
    select newest_version from policy where policy_id = ${policy.id} for update`
  return row?.newest_version ?? 0
})

const lockNewest = Effect.fnUntraced(function* (
  sql: SqlClient,
  policy: {
    readonly id: PolicyId
    readonly at: IsoTime
  }
) {
  const newestVersion = yield* lockPolicy(sql, policy)
  // A statement of its own: one that waited for the lock would still see the version from before it.
  const [newest] = yield* sql<VersionRow>`select narrative, criteria, code_groups from policy_version
    where policy_id = ${policy.id} and version = ${newestVersion}`
  return newest && versionOf(newest)
})

const appendVersion = (sql: SqlClient, version: PolicyVersion, snapshot: Snapshot) => {
  const { body, keywords, title } = searchTextOf(version)
  const summary = summaryOf(version)
  const row = rowOf(version)
  const codes = policyCodes(version)
  const heading = sql`setweight(to_tsvector('english', ${plainText(title)}), 'A')
    || setweight(to_tsvector('english', ${plainText(keywords)}), 'B')
    || setweight(to_tsvector('english', ${plainText(summary ?? "")}), 'C') || w.subject`
  const text = plainText(body.slice(0, searchBodyCharactersMax))
  return sql`
    insert into policy_version (policy_id, version, snapshot_id, status, effective_date, retire_date, title,
      policy_type, payer_code, national, jurisdictions, states, related, recorded_at, listing, summary, first_codes,
      narrative, criteria, code_groups, heading, search)
    select ${version.policy.policyId}, ${version.version}, ${snapshot.snapshotId}, ${version.status},
      ${version.effectiveDate}, ${version.retireDate}, ${plainText(version.title)}, ${version.policy.policyType},
      ${version.policy.payerCode}, ${version.national}, ${jurisdictionsOf(version)}, ${version.states},
      ${version.related.map((each) => each.policyId)}, ${version.recordedAt}, ${JSON.stringify(listingCoreOf(version))},
      ${JSON.stringify(summary)}, ${JSON.stringify(codes.slice(0, listedCodesMax))},
      ${row.narrative}, ${row.criteria}, ${row.code_groups},
      ${heading}, ${heading} || setweight(to_tsvector('english', ${text}), 'D') || w.words
    from words_of_codes(${codes.map(({ code }) => code)}, ${codes.map(({ codeSystem }) => codeSystem)}) w`
}

const appendCodes = (sql: SqlClient, version: PolicyVersion) => {
  const codes = policyCodes(version)
  return sql`
    insert into policy_code (code, policy_id, version, code_system, disposition, source)
    select code, ${version.policy.policyId}, ${version.version}, code_system, disposition, source
    from unnest(${codes.map((each) => each.code)}::text[], ${codes.map((each) => each.codeSystem)}::text[],
      ${codes.map((each) => each.disposition)}::text[], ${codes.map((each) => each.source)}::text[])
      as given (code, code_system, disposition, source)
    order by code`
}

const appendPassages = (sql: SqlClient, { criteria, policy, version }: PolicyVersion) =>
  sql`
    insert into policy_passage (policy_id, version, ordinal, section, block, words)
    select ${policy.policyId}, ${version}, (ordinal - 1)::int4, section, block::json, to_tsvector('english', text)
    from unnest(${criteria.map((block) => block.section)}::text[],
      ${criteria.map((block) => JSON.stringify(block))}::text[],
      ${criteria.map((block) => plainText(block.text.slice(0, searchBodyCharactersMax)))}::text[])
      with ordinality as given (section, block, text, ordinal)`

const appendChange = (
  sql: SqlClient,
  step: {
    readonly change: PolicyChange
    readonly version: PolicyVersion
    readonly oldVersion: number | null
  }
) => {
  const { change, oldVersion, version } = step
  return sql`
    insert into policy_change (policy_id, old_version, new_version, change_type, change_summary, changed_fields,
      added_codes, removed_codes, modified_criteria, changed_at)
    values (${version.policy.policyId}, ${oldVersion}, ${version.version}, ${change.changeType},
      ${change.changeSummary}, ${change.changedFields}, ${change.addedCodes}, ${change.removedCodes},
      ${change.modifiedCriteria}, ${version.recordedAt})`
}

const rewriteSpans = Effect.fnUntraced(function* (sql: SqlClient, id: PolicyId) {
  const versions = yield* sql<DatedVersion>`
    select version, status, effective_date as "effectiveDate", retire_date as "retireDate"
    from policy_version where policy_id = ${id}`
  const spans = spansOf(versions)
  yield* sql`delete from policy_span where policy_id = ${id}`
  yield* sql`
    insert into policy_span (policy_id, first_day, last_day, version, status, policy_type, payer_code, national,
      jurisdictions, states, related)
    select v.policy_id, g.first_day, g.last_day, g.version, g.status, v.policy_type, v.payer_code, v.national,
      v.jurisdictions, v.states, v.related
    from unnest(${spans.map((span) => span.firstDay)}::text[], ${spans.map((span) => span.lastDay)}::text[],
      ${spans.map((span) => span.version)}::int4[], ${spans.map((span) => span.status)}::text[])
      as g (first_day, last_day, version, status)
    join policy_version v on v.policy_id = ${id} and v.version = g.version`
})
