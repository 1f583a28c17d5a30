import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { IsoDate } from "../../core/coverage/date.ts"
import { rulesAmong } from "../../core/coverage/priorAuth/rules.ts"
import type { PriorAuthContents } from "../../core/coverage/PriorAuthRule.ts"
import type { SavedList } from "../../core/port/PriorAuthLists.ts"
import { PriorAuthLists, PriorAuthListsUnavailable } from "../../core/port/PriorAuthLists.ts"
import { Pool, unavailable } from "./Database.ts"
import { cacheForSecond } from "./library/cacheForSecond.ts"

/** Prior authorization lists in PostgreSQL, a row a program, all of them read at most once a second. */
export const layer = Layer.effect(
  PriorAuthLists,
  Effect.gen(function* () {
    const sql = yield* Pool
    const away = unavailable((fault) => new PriorAuthListsUnavailable({ fault }))
    const { forget, value } = yield* cacheForSecond(
      Effect.map(
        sql<{ readonly record: PriorAuthContents }>`select record from prior_auth_list order by program`,
        (rows) => rows.map((row) => row.record)
      )
    )
    return PriorAuthLists.of({
      among: ({ codes }) => away(Effect.map(value, (lists) => rulesAmong(lists, codes))),
      save: (input) => Effect.tap(away(save(sql, input)), () => forget)
    })
  })
)

/**
 * One statement decides: a save that races another waits for the row and then compares with what the other
 * has written. Where it wrote nothing, what is kept tells why.
 */
const save = Effect.fnUntraced(function* (
  sql: SqlClient,
  given: { readonly contents: PriorAuthContents; readonly snapshotId: string }
): Effect.fn.Return<SavedList, Effect.Error<ReturnType<typeof written>>> {
  const { listAsOf, program } = given.contents
  if ((yield* written(sql, given)).length > 0) return { _tag: "Saved" }
  const [kept] = yield* sql<{ readonly snapshotId: string; readonly listAsOf: IsoDate }>`
    select snapshot_id as "snapshotId", list_as_of as "listAsOf" from prior_auth_list where program = ${program}`
  return kept === undefined || kept.listAsOf <= listAsOf
    ? { _tag: "Unchanged" }
    : { _tag: "Older", knownAsOf: kept.listAsOf }
})

const written = (
  sql: SqlClient,
  { contents, snapshotId }: { readonly contents: PriorAuthContents; readonly snapshotId: string }
) => sql`
  insert into prior_auth_list as kept (program, list_as_of, snapshot_id, record)
  values (${contents.program}, ${contents.listAsOf}, ${snapshotId}, ${JSON.stringify(contents)}::json)
  on conflict (program) do update
    set list_as_of = excluded.list_as_of, snapshot_id = excluded.snapshot_id, record = excluded.record
    where kept.list_as_of <= excluded.list_as_of and kept.snapshot_id <> excluded.snapshot_id
  returning 1`
