import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { CodeSystem } from "../../../core/coverage/Code.ts"
import type { IsoDate } from "../../../core/coverage/date.ts"
import type { Disposition, PolicyId } from "../../../core/coverage/Policy.ts"
import type { DecisionsPage, DecisionsQuery, ReleasesUnavailable } from "../../../core/port/Releases.ts"
import type { CertifiedDecision } from "../../../core/release/Release.ts"
import type { ReleaseId, Sha256 } from "../../../core/release/ReleaseId.ts"
import { plainText } from "../library/plainText.ts"

/** A page of the decisions about one code, by a range of the primary key. */
export const decisionPage = (
  sql: SqlClient,
  query: DecisionsQuery
): Effect.Effect<DecisionsPage, SqlError> => {
  const { after, codeSystem, payerCode } = query
  const wanted = sql.and([
    sql`d.number = (select number from release where release_id = ${plainText(query.releaseId)})`,
    sql`d.code = ${plainText(query.code)}`,
    ...(codeSystem === null ? [] : [sql`d.code_system = ${codeSystem}`]),
    ...(payerCode === null ? [] : [sql`p.payer_code = ${plainText(payerCode)}`]),
    ...(after === null ? [] : [sql`(d.policy_id, d.code_system) > (${after.policyId}, ${after.codeSystem})`])
  ])
  return Effect.map(
    sql<DecisionRow>`select ${columns(sql)} from release_decision d ${policies(sql)} where ${wanted}
      order by d.policy_id, d.code_system limit ${query.limit + 1}`,
    (rows) => {
      const decisions = rows.slice(0, query.limit).map(decisionOf)
      const last = decisions.at(-1)
      const more = last !== undefined && rows.length > query.limit
      return {
        decisions,
        next: more ? { policyId: last.policy.policyId, codeSystem: last.code.codeSystem } : null
      }
    }
  )
}

/** Rows of one statement of an export: some two megabytes. */
const exportedAtOnce = 5_000

/** Hashes of one statement: some two megabytes. */
const hashesAtOnce = 20_000

/** Runs a statement where the stream is asked for its next page. */
type DecisionQuery = <A>(
  from: (sql: SqlClient) => Effect.Effect<A, SqlError>
) => Effect.Effect<A, ReleasesUnavailable>

/** Every decision by ascending record hash, a page at a time. */
export const decisionsByHash = (asking: DecisionQuery, releaseId: ReleaseId) =>
  pages<CertifiedDecision>(exportedAtOnce, (last) => {
    const after = last?.code.recordSha256 ?? ""
    return Effect.map(
      asking(
        (sql) => sql<DecisionRow>`select ${columns(sql)}
          from (select * from release_decision
            where number = (select number from release where release_id = ${plainText(releaseId)})
              and record_sha256 > decode(${after}, 'hex')
            order by record_sha256 limit ${exportedAtOnce}) as d ${policies(sql)}
          order by d.record_sha256`
      ),
      (rows) => rows.map(decisionOf)
    )
  })

/** The record hashes of a release that is being made, in ascending order. */
export const hashesOf = (asking: DecisionQuery, number: bigint) =>
  pages<Sha256>(hashesAtOnce, (last) =>
    Effect.map(
      asking(
        (sql) => sql<{
          readonly sha256: Sha256
        }>`select encode(record_sha256, 'hex') as sha256 from release_decision
          where number = ${number} and record_sha256 > decode(${last ?? ""}, 'hex')
          order by record_sha256 limit ${hashesAtOnce}`
      ),
      (rows) => rows.map(({ sha256 }) => sha256)
    )
  )

const pages = <A>(
  size: number,
  next: (last: A | undefined) => Effect.Effect<ReadonlyArray<A>, ReleasesUnavailable>
): Stream.Stream<A, ReleasesUnavailable> =>
  Stream.paginate(undefined as A | undefined, (last) =>
    Effect.map(next(last), (page) => {
      const more = page.length < size ? Option.none() : Option.some(page.at(-1))
      return [page, more] as const
    })
  )

const columns = (sql: SqlClient) =>
  sql`d.code, d.code_system, d.disposition, encode(d.record_sha256, 'hex') as record_sha256, p.policy_id,
    p.policy_version, p.fingerprint, p.source_document, p.payer_code, p.line_of_business, p.effective_date,
    p.retire_date`

const policies = (sql: SqlClient) =>
  sql`join release_policy p on p.number = d.number and p.policy_id = d.policy_id`

interface DecisionRow {
  readonly code: string
  readonly code_system: CodeSystem
  readonly disposition: Disposition
  readonly record_sha256: Sha256
  readonly policy_id: PolicyId
  readonly policy_version: number
  readonly fingerprint: string
  readonly source_document: string
  readonly payer_code: string
  readonly line_of_business: string
  readonly effective_date: IsoDate
  readonly retire_date: IsoDate | null
}

const decisionOf = (row: DecisionRow): CertifiedDecision => ({
  policy: {
    policyId: row.policy_id,
    policyVersion: row.policy_version,
    fingerprintSha256: row.fingerprint,
    sourceDocumentSha256: row.source_document,
    payerCode: row.payer_code,
    lineOfBusiness: row.line_of_business,
    effectiveDate: row.effective_date,
    retireDate: row.retire_date
  },
  code: {
    codeSystem: row.code_system,
    code: row.code,
    disposition: row.disposition,
    recordSha256: row.record_sha256
  }
})
