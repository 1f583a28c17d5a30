import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { MueEdit, PtpEdit } from "../../core/coverage/editTables.ts"
import { editTables } from "../../core/coverage/editTables.ts"
import type { EditsQuery } from "../../core/coverage/editsAmong.ts"
import { ClaimEdits, ClaimEditsUnavailable } from "../../core/port/ClaimEdits.ts"
import { PipelinedClient, unavailable } from "./Database.ts"
import { plainText } from "./library/plainText.ts"

/** The NCCI tables in PostgreSQL: a few reads by primary key, both tables in one write to the socket. */
export const layer = Layer.effect(
  ClaimEdits,
  Effect.gen(function* () {
    const sql = yield* PipelinedClient
    const away = unavailable((fault) => new ClaimEditsUnavailable({ fault }))
    return ClaimEdits.of({
      among: (query) =>
        away(Effect.all({ pairs: pairsAmong(sql, query), units: unitsAmong(sql, query) }, { concurrency: 2 }))
    })
  })
)

/** The kernel's `pairsAmong` by the table's key: of each edit its newest edition, if that is in force. */
export const pairsAmong = (sql: SqlClient, { codes, date }: EditsQuery) => {
  const asked = codes.map(plainText)
  return sql<PtpEdit>`
    select column1, column2, service, effective_date as "effectiveDate", deletion_date as "deletionDate",
      modifier_indicator as "modifierIndicator", rationale
    from (
      select distinct on (column1, column2, service, effective_date) * from ptp_edit
      where column1 = any(${asked}::text[]) and column2 = any(${asked}::text[]) and effective_date <= ${date}
      order by column1, column2, service, effective_date, edition desc) newest
    where deletion_date is null or deletion_date >= ${date}
    order by service, column1, column2, effective_date`
}

/** The kernel's `unitsAmong`: each service's newest table that begins by the day, by the table's key. */
export const unitsAmong = (sql: SqlClient, { codes, date }: EditsQuery) =>
  sql<MueEdit>`
    select distinct on (e.service, e.code) e.code, e.service, e.units, e.adjudication, e.rationale,
      e.effective_date as "effectiveDate"
    from unnest(${editTables}::text[]) as asked (service)
    cross join lateral (
      select m.effective_date from mue_edit m where m.service = asked.service and m.effective_date <= ${date}
      order by m.effective_date desc limit 1) newest
    join mue_edit e on e.service = asked.service and e.effective_date = newest.effective_date
    where e.code = any(${codes.map(plainText)}::text[])
    order by e.service, e.code, e.edition desc`
