import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { NcdCode, NcdCodeList } from "../../core/coverage/NcdCode.ts"
import { reviseNcdCodes } from "../../core/coverage/NcdCode.ts"
import { NcdCodes, NcdCodesUnavailable } from "../../core/port/NcdCodes.ts"
import { atomically, PipelinedClient, Pool, unavailable } from "./Database.ts"
import { plainText } from "./library/plainText.ts"

/** Held while a list is compared and written, so that processes starting together write it once. */
const ncdCodesLock = 65

/** The table from NCDs to codes in PostgreSQL: a read by its key. */
export const layer = Layer.effect(
  NcdCodes,
  Effect.gen(function* () {
    const pool = yield* Pool
    const multiplexed = yield* PipelinedClient
    const away = unavailable((fault) => new NcdCodesUnavailable({ fault }))
    return NcdCodes.of({
      among: ({ codes }) => away(rowsAmong(multiplexed, codes)),
      save: (list) => away(atomically(save(pool, list)).pipe(Effect.provideService(Pool, pool)))
    })
  })
)

/** By the table's key; of an imported and a shipped row the imported one, which is the first by name. */
const rowsAmong = (sql: SqlClient, codes: ReadonlyArray<string>) => sql<NcdCode>`
  select distinct on (policy_id, code) policy_id as "policyId", code, role, source, source_url as "sourceUrl"
  from ncd_code where code = any(${codes.map(plainText)}::text[])
  order by policy_id, code, origin`

/** Nothing is written, and the library's generation stays, where the list says what is known already. */
const save = Effect.fnUntraced(function* (sql: SqlClient, list: NcdCodeList) {
  yield* sql`select pg_advisory_xact_lock(${ncdCodesLock})`
  const known = yield* sql<NcdCode>`
    select policy_id as "policyId", code, role, source, source_url as "sourceUrl"
    from ncd_code where origin = ${list.origin}`
  const { dropped, written } = reviseNcdCodes(known, list)
  if (dropped.length > 0) {
    yield* sql`
      delete from ncd_code k using json_to_recordset(${JSON.stringify(dropped)}::json) as g ("policyId" text, code text)
      where k.code = g.code and k.policy_id = g."policyId" and k.origin = ${list.origin}`
  }
  if (written.length > 0) {
    yield* sql`
      insert into ncd_code (code, policy_id, origin, role, source, source_url)
      select g.code, g."policyId", ${list.origin}, g.role, g.source, g."sourceUrl"
      from json_to_recordset(${JSON.stringify(written)}::json)
        as g (code text, "policyId" text, role text, source text, "sourceUrl" text)
      on conflict (code, policy_id, origin) do update
        set role = excluded.role, source = excluded.source, source_url = excluded.source_url`
  }
  return { written: dropped.length + written.length }
})
