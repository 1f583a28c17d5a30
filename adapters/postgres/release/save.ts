import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { NewRelease, ReleasesUnavailable } from "../../../core/port/Releases.ts"
import { manifestText } from "../../../core/release/manifest.ts"
import type { Certificate, PolicyDecisions, Release } from "../../../core/release/Release.ts"
import type { Others, StoreFailed } from "../fault.ts"
import { atomically, Pool } from "../Database.ts"
import { hashesOf } from "./decisions.ts"
import { findRelease } from "./releaseRow.ts"

/** Rows of one insert: some two megabytes of text. */
const rowsAtOnce = 5_000

type Away = <A>(effect: Effect.Effect<A, SqlError>) => Effect.Effect<A, ReleasesUnavailable>

/**
 * Makes a release in one transaction, which sees the library as of one instant however long it takes. The
 * table's lock lets one be made at a time and readers pass. Of what turns out to be known nothing is kept.
 */
export const save = <E, R>(sql: SqlClient, making: NewRelease<E, R>, away: Away) => {
  const made = Effect.gen(function* () {
    // Before the first statement that reads, or the view would be of a time before the lock was had.
    yield* sql`set transaction isolation level repeatable read`.unprepared
    yield* sql`set local statement_timeout = 0`.unprepared
    yield* sql`lock table release in share row exclusive mode`.unprepared
    const [row] = yield* sql<{ readonly number: bigint }>`select nextval('release_number') as number`
    const number = row?.number ?? 0n
    yield* Stream.runForEachArray(making.policies, (policies) => keep(sql, number, policies))
    // Until it has counted what was written, PostgreSQL would sort all of it for every page of hashes.
    yield* sql`analyze release_policy, release_decision`.unprepared
    const certificate = yield* making.certificate(hashesOf((from) => away(from(sql)), number))
    const known = yield* findRelease(sql, certificate.releaseId)
    if (known !== undefined) return yield* new Known({ release: known })
    yield* certify(sql, number, certificate)
    return { release: { ...certificate, endings: [] } as Release, isNew: true }
  })
  return Effect.catch(Effect.provideService(atomically(made), Pool, sql), (failure) =>
    failure instanceof Known
      ? Effect.succeed({ release: failure.release, isNew: false })
      : Effect.fail(failure as Others<E> | ReleasesUnavailable | StoreFailed)
  )
}

/** Rolls back what was written of a release that is kept already. */
class Known extends Data.TaggedError("Known")<{ readonly release: Release }> {}

const certify = (sql: SqlClient, number: bigint, certificate: Certificate) =>
  sql`insert into release (release_id, number, manifest, certified_at, expires_at, signature)
    values (${certificate.releaseId}, ${number}, ${manifestText(certificate.manifest)}, ${certificate.certifiedAt},
      ${certificate.expiresAt}, ${certificate.signature})`

const keep = Effect.fnUntraced(function* (
  sql: SqlClient,
  number: bigint,
  policies: ReadonlyArray<PolicyDecisions>
) {
  yield* keepPolicies(
    sql,
    number,
    policies.map(({ policy }) => policy)
  )
  const rows = policies.flatMap(({ codes, policy }) =>
    codes.map((code) => ({ ...code, policyId: policy.policyId }))
  )
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    yield* keepDecisions(sql, number, rows.slice(from, from + rowsAtOnce))
})

const keepPolicies = (sql: SqlClient, number: bigint, all: ReadonlyArray<PolicyDecisions["policy"]>) =>
  sql`insert into release_policy (number, policy_id, policy_version, fingerprint, source_document, payer_code,
      line_of_business, effective_date, retire_date)
    select ${number}::int8, policy_id, version, fingerprint, source, payer, line, first_day, nullif(last_day, '')
    from unnest(${all.map((one) => one.policyId)}::text[], ${all.map((one) => one.policyVersion)}::int4[],
      ${all.map((one) => one.fingerprintSha256)}::text[], ${all.map((one) => one.sourceDocumentSha256)}::text[],
      ${all.map((one) => one.payerCode)}::text[], ${all.map((one) => one.lineOfBusiness)}::text[],
      ${all.map((one) => one.effectiveDate)}::text[], ${all.map((one) => one.retireDate ?? "")}::text[])
      as given (policy_id, version, fingerprint, source, payer, line, first_day, last_day)`

const keepDecisions = (
  sql: SqlClient,
  number: bigint,
  rows: ReadonlyArray<PolicyDecisions["codes"][number] & { readonly policyId: string }>
) =>
  sql`insert into release_decision (number, policy_id, code, code_system, disposition, record_sha256)
    select ${number}::int8, policy_id, code, code_system, disposition, decode(sha256, 'hex')
    from unnest(${rows.map((row) => row.policyId)}::text[], ${rows.map((row) => row.code)}::text[],
      ${rows.map((row) => row.codeSystem)}::text[], ${rows.map((row) => row.disposition)}::text[],
      ${rows.map((row) => row.recordSha256)}::text[]) as given (policy_id, code, code_system, disposition, sha256)`
