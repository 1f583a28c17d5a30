import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { canonicalDocument } from "../../core/coverage/revise.ts"
import type { Edition } from "../../core/coverage/CodeTable.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import type { Payer } from "../../core/coverage/Payer.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import type { Snapshot, SnapshotPart } from "../../core/port/Snapshots.ts"
import { Snapshots, SnapshotsUnavailable } from "../../core/port/Snapshots.ts"
import { atomically, Pool, unavailable } from "./Database.ts"
import { describe } from "./library/describe.ts"
import { cacheForSecond } from "./library/cacheForSecond.ts"
import { retireCodes, saveCodes, saveDescriptions, saveFees } from "./library/saveCodes.ts"
import { saveEdits } from "./library/saveEdits.ts"
import { plainText } from "./library/plainText.ts"
import { saveHistory } from "./library/savePolicy.ts"

/** Imported source data in PostgreSQL; every verb that writes is one transaction. */
export const layer = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const sql = yield* Pool
    const crypto = yield* Crypto
    const away = unavailable((fault) => new SnapshotsUnavailable({ fault }))
    const written = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.tap(away(atomically(effect).pipe(Effect.provideService(Pool, sql))), () => forget)
    const fingerprintOf = (document: PolicyDocument) => crypto.sha256Hex(canonicalDocument(document))
    const current = yield* cacheForSecond(newestOfEachKind(sql))
    const generation = yield* cacheForSecond(
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
      saveHistory: (input) => written(saveHistory(sql, { ...input, fingerprintOf })),
      save: (input) => written(savePart(sql, input)),
      complete: ({ at, edition = null, snapshot }) =>
        Effect.asVoid(written(complete(sql, { ...snapshot, edition }, at))),
      current: away(current.value),
      completed: away(everySnapshot(sql)),
      generation: away(generation.value)
    })
  })
)

const savePart = (sql: SqlClient, input: SnapshotPart & { readonly snapshot: Snapshot }) => {
  const { snapshotId, sourceAsOf } = input.snapshot
  switch (input._tag) {
    case "Codes":
      return saveCodes(sql, snapshotId, input.codes)
    case "UnlistedCodes":
      return retireCodes(sql, { ...input, snapshotId, day: sourceAsOf })
    case "Jurisdictions":
      return saveJurisdictions(sql, input.jurisdictions)
    case "Payers":
      return savePayers(sql, input.payers)
    case "Edits":
      return saveEdits(sql, { ...input, snapshotId })
    case "Fees":
      return saveFees(sql, snapshotId, input.fees)
    case "Descriptions":
      return saveDescriptions(sql, input.descriptions)
  }
}

/**
 * Also has PostgreSQL count anew what the import wrote: until it does so by itself, a minute later, it plans
 * every search for a library that is empty.
 */
const complete = (
  sql: SqlClient,
  { edition, kind, snapshotId, sourceAsOf }: Snapshot & { readonly edition: Edition | null },
  at: IsoTime
) =>
  Effect.all(
    [
      describe(sql, snapshotId),
      sql`insert into snapshot (snapshot_id, kind, source_as_of, completed_at, edition)
        values (${snapshotId}, ${kind}, ${sourceAsOf}, ${at}, ${edition && JSON.stringify(edition)}::json)
        on conflict do nothing`,
      sql`analyze policy, policy_version, policy_span, policy_code, policy_passage, policy_change, code_edition,
        code, ptp_edit, mue_edit, fee_schedule, code_description, known_word`
    ],
    { discard: true }
  )

const everySnapshot = (sql: SqlClient) =>
  sql<Snapshot>`select snapshot_id as "snapshotId", kind, source_as_of as "sourceAsOf"
    from snapshot order by kind, snapshot_id collate "C"`

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

/** Adds payers and replaces those that are told anew; the last of several with one code. */
const savePayers = (sql: SqlClient, payers: ReadonlyArray<Payer>) => {
  const given = [...new Map(payers.map((payer) => [plainText(payer.code), JSON.stringify(payer)]))]
  return Effect.map(
    sql`insert into payer as known (code, record)
      select code, record::json from unnest(${given.map(([code]) => code)}::text[],
        ${given.map(([, record]) => record)}::text[]) as given (code, record)
      on conflict (code) do update set record = excluded.record
        where known.record::text <> excluded.record::text
      returning 1`,
    (rows) => ({ written: rows.length })
  )
}
