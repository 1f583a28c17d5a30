import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { IsoTime } from "../../../core/coverage/date.ts"
import type { Manifest } from "../../../core/release/manifest.ts"
import type { ReleaseEnd, Release } from "../../../core/release/Release.ts"
import type { ReleaseId } from "../../../core/release/ReleaseId.ts"
import { plainText } from "../library/plainText.ts"

/** The release with its endings; undefined: there is none of this id. */
export const findRelease = (sql: SqlClient, releaseId: ReleaseId) =>
  Effect.map(
    sql<ReleaseRow>`${columns(sql)} where release_id = ${plainText(releaseId)}`,
    ([row]) => row && releaseOf(row)
  )

/** All of them, the newest first. */
export const everyRelease = (sql: SqlClient) =>
  Effect.map(sql<ReleaseRow>`${columns(sql)} order by number desc`, (rows) => rows.map(releaseOf))

/** Keeps the first ending of a kind. */
export const end = Effect.fnUntraced(function* (
  sql: SqlClient,
  input: { readonly releaseId: ReleaseId; readonly ending: ReleaseEnd }
) {
  const { at, kind, reason } = input.ending
  yield* sql`insert into release_ending (release_id, kind, reason, at)
    select release_id, ${kind}, ${reason}, ${at} from release where release_id = ${plainText(input.releaseId)}
    on conflict do nothing`
  return yield* findRelease(sql, input.releaseId)
})

interface ReleaseRow {
  readonly release_id: ReleaseId
  readonly manifest: string
  readonly certified_at: Date
  readonly expires_at: Date
  readonly signature: string
  readonly endings: ReadonlyArray<ReleaseEnd> | null
}

const columns = (sql: SqlClient) =>
  sql`select release_id, manifest, certified_at, expires_at, signature,
      (select json_agg(json_build_object('kind', kind, 'reason', reason,
          'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by at, kind)
        from release_ending e where e.release_id = release.release_id) as endings
    from release`

const releaseOf = (row: ReleaseRow): Release => ({
  releaseId: row.release_id,
  manifest: JSON.parse(row.manifest) as Manifest,
  certifiedAt: row.certified_at.toISOString() as IsoTime,
  expiresAt: row.expires_at.toISOString() as IsoTime,
  signature: row.signature,
  endings: row.endings ?? []
})
