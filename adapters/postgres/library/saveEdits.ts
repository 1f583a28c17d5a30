import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { MueEdit, PtpEdit } from "../../../core/coverage/editTables.ts"
import { pairKey, unitKey } from "../../../core/coverage/editsAmong.ts"
import { plainText } from "./plainText.ts"

/** Held while edits are written, so that two imports number the editions of an edit one after the other. */
const editsLock = 64

/** Appends an edition of every edit that is new or differs from its newest one; runs within a transaction. */
export const saveEdits = Effect.fnUntraced(function* (
  sql: SqlClient,
  given: {
    readonly snapshotId: string
    readonly pairs: ReadonlyArray<PtpEdit>
    readonly units: ReadonlyArray<MueEdit>
  }
) {
  yield* sql`select pg_advisory_xact_lock(${editsLock})`
  const ofPairs = yield* appendPairs(sql, given.snapshotId, lastOfEach(given.pairs, pairKey))
  const ofUnits = yield* appendUnits(sql, given.snapshotId, lastOfEach(given.units, unitKey))
  return { written: ofPairs.length + ofUnits.length }
})

const lastOfEach = <A>(all: ReadonlyArray<A>, key: (each: A) => ReadonlyArray<string>): ReadonlyArray<A> => [
  ...new Map(all.map((each) => [key(each).join("\0"), each])).values()
]

/** As one JSON text, in which a list may hold nothing but nulls; the escape of NUL is the one it may not. */
const rowsText = (rows: ReadonlyArray<PtpEdit | MueEdit>): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === "string" ? plainText(value) : value))

const appendPairs = (sql: SqlClient, snapshotId: string, pairs: ReadonlyArray<PtpEdit>) => sql`
  insert into ptp_edit (column1, column2, service, effective_date, edition, deletion_date, modifier_indicator,
    rationale, snapshot_id)
  select g.column1, g.column2, g.service, g."effectiveDate", coalesce(k.edition, 0) + 1, g."deletionDate",
    g."modifierIndicator", g.rationale, ${snapshotId}
  from json_to_recordset(${rowsText(pairs)}::json) as g (column1 text, column2 text, service text,
    "effectiveDate" text, "deletionDate" text, "modifierIndicator" int2, rationale text)
  left join lateral (
    select * from ptp_edit e where e.column1 = g.column1 and e.column2 = g.column2 and e.service = g.service
      and e.effective_date = g."effectiveDate"
    order by e.edition desc limit 1) k on true
  where k.edition is null or (k.deletion_date, k.modifier_indicator, k.rationale)
    is distinct from (g."deletionDate", g."modifierIndicator", g.rationale)
  returning 1`

const appendUnits = (sql: SqlClient, snapshotId: string, units: ReadonlyArray<MueEdit>) => sql`
  insert into mue_edit (service, effective_date, code, edition, units, adjudication, rationale, snapshot_id)
  select g.service, g."effectiveDate", g.code, coalesce(k.edition, 0) + 1, g.units, g.adjudication, g.rationale,
    ${snapshotId}
  from json_to_recordset(${rowsText(units)}::json) as g (service text, "effectiveDate" text, code text, units int4,
    adjudication int2, rationale text)
  left join lateral (
    select * from mue_edit e where e.service = g.service and e.effective_date = g."effectiveDate" and e.code = g.code
    order by e.edition desc limit 1) k on true
  where k.edition is null or (k.units, k.adjudication, k.rationale)
    is distinct from (g.units, g.adjudication, g.rationale)
  returning 1`
