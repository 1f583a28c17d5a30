import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { canonicalDocument } from "../../core/coverage/revise.ts"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import type { Snapshot } from "../../core/port/Snapshots.ts"
import { Snapshots, SnapshotsUnavailable } from "../../core/port/Snapshots.ts"
import { atomically, Pool, unavailable } from "./Database.ts"
import { remembered } from "./library/remembered.ts"
import { retireCodes, saveCodes } from "./library/saveCodes.ts"
import { savePolicy } from "./library/savePolicy.ts"

/** Imported source data in PostgreSQL; every verb that writes is one transaction. */
export const layer = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const sql = yield* Pool
    const crypto = yield* Crypto
    const away = unavailable((fault) => new SnapshotsUnavailable({ fault }))
    const written = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.tap(away(atomically(effect).pipe(Effect.provideService(Pool, sql))), () => forget)
    const current = yield* remembered(newestOfEachKind(sql))
    const generation = yield* remembered(
      Effect.map(sql<{ readonly generation: bigint }>`select generation from library_generation`, ([row]) =>
        Number(row?.generation ?? 0)
      )
    )
    const forget = Effect.andThen(current.forget, generation.forget)
    return Snapshots.of({
      isComplete: (snapshotId) =>
        away(
          Effect.map(sql`select from snapshot where snapshot_id = ${snapshotId}`, (rows) => rows.length > 0)
        ),
      savePolicy: ({ at, document, snapshot }) => {
        const fingerprint = crypto.sha256Hex(canonicalDocument(document))
        return written(savePolicy(sql, { snapshot, document, fingerprint, at }))
      },
      saveCodes: ({ codes, snapshot }) => written(saveCodes(sql, snapshot.snapshotId, codes)),
      retireCodes: ({ codeSystem, listed, snapshot: { snapshotId, sourceAsOf: day } }) =>
        written(retireCodes(sql, { snapshotId, codeSystem, listed, day })),
      saveJurisdictions: ({ jurisdictions }) => written(saveJurisdictions(sql, jurisdictions)),
      complete: ({ at, snapshot }) =>
        written(sql`
      insert into snapshot (snapshot_id, kind, source_as_of, completed_at)
      values (${snapshot.snapshotId}, ${snapshot.kind}, ${snapshot.sourceAsOf}, ${at}) on conflict do nothing
    `).pipe(Effect.asVoid),
      current: away(current.value),
      generation: away(generation.value)
    })
  })
)

const newestOfEachKind = (sql: SqlClient) =>
  sql<Snapshot>`
    select distinct on (kind) snapshot_id as "snapshotId", kind, source_as_of as "sourceAsOf"
    from snapshot order by kind, source_as_of desc, ordinal desc`

/** Replaces all of them by those of the snapshot, and counts the ones that are new or differ. */
const saveJurisdictions = Effect.fnUntraced(function* (
  sql: SqlClient,
  jurisdictions: ReadonlyArray<Jurisdiction>
) {
  const codes = jurisdictions.map((one) => one.jurisdictionCode)
  yield* sql`delete from jurisdiction where jurisdiction_code <> all(${codes}::text[])`
  const rows = yield* sql`
    insert into jurisdiction as known (jurisdiction_code, record)
    select code, record::json from unnest(${codes}::text[], ${jurisdictions.map((one) => JSON.stringify(one))}::text[])
      as given (code, record)
    on conflict (jurisdiction_code) do update set record = excluded.record
      where known.record::text <> excluded.record::text
    returning 1`
  return { written: rows.length }
})
