import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import * as Semaphore from "effect/Semaphore"
import type { SqlClient } from "effect/sql/SqlClient"
import { organizationOf } from "../../core/limit/subject.ts"
import { DayUses, DayUsesUnavailable } from "../../core/port/DayUses.ts"
import { Pool, unavailable } from "./Database.ts"
import { usageSince } from "./rollUp.ts"

/** One statement holds no more of them; the rows not rolled up are read once for all. */
export const readTogetherMax = 100

/**
 * The day's use from the usage by day and the rows not rolled up into it; what is asked in the same turn is
 * read together, since after midnight, or a loss of the limits, everybody's next call asks. Over the pool,
 * since the rows of some seconds take longer than a read by key.
 */
export const layer = Layer.effect(
  DayUses,
  Effect.gen(function* () {
    const readAll = makeReadAll(yield* Pool)
    const oneByOne = yield* Semaphore.make(1)
    const together = RequestResolver.batchN(
      RequestResolver.make<DayUse>((entries) => oneByOne.withPermit(Effect.suspend(() => readAll(entries)))),
      readTogetherMax
    )
    return DayUses.of({
      read: ({ subject, day }) => {
        const organizationId = organizationOf(subject)
        if (organizationId === undefined) return Effect.succeed(0)
        return Effect.request(DayUse({ organizationId, day }), together)
      }
    })
  })
)

/** The use of one organization on a day since 1970. */
interface DayUse extends Request.Request<number, DayUsesUnavailable> {
  readonly _tag: "DayUse"
  readonly organizationId: string
  readonly day: number
}
const DayUse = Request.tagged<DayUse>("DayUse")

interface ReadResult {
  readonly rolled_up: string
  readonly seen: string
  readonly used: ReadonlyArray<string>
  readonly recent: ReadonlyArray<readonly [organizationId: string, day: number, charged: number]> | null
}

/**
 * The sums of the rows not rolled up are kept from read to read, with the snapshot that saw them: each read
 * fetches the rows that it did not see, and all of them once usage was rolled up. When each read went through
 * the rows of up to 20 seconds instead, the 5 seconds after the limits' store lost its data ran at 0.35 to
 * 0.39 of the hot server; they run at 0.85. One read at a time, for each begins where the last one ended.
 */
const makeReadAll = (sql: SqlClient) => {
  const kept = { rolledUp: "", seen: "", charged: new Map<string, number>() }
  const keep = ({ recent, rolled_up, seen }: ReadResult) => {
    if (rolled_up !== kept.rolledUp) kept.charged.clear()
    kept.rolledUp = rolled_up
    kept.seen = seen
    for (const [organizationId, day, charged] of recent ?? []) {
      const name = nameOf({ organizationId, day })
      kept.charged.set(name, charged + (kept.charged.get(name) ?? 0))
    }
  }
  return (entries: ReadonlyArray<Request.Entry<DayUse>>) => {
    const asked = entries.map(({ request }) => request)
    const [organizationIds, days] = [asked.map((one) => one.organizationId), asked.map((one) => one.day)]
    const rows = sql.unsafe<ReadResult>(readDays, [organizationIds, days, kept.rolledUp, kept.seen])
    return Effect.map(away(rows), ([row]) => {
      if (row !== undefined) keep(row)
      for (const [index, entry] of entries.entries()) {
        const recent = kept.charged.get(nameOf(entry.request)) ?? 0
        entry.completeUnsafe(Exit.succeed(Number(row?.used[index] ?? 0) + recent))
      }
    })
  }
}

const nameOf = ({ day, organizationId }: { readonly day: number; readonly organizationId: string }): string =>
  `${day} ${organizationId}`

const readDays = `with now as materialized (
    select seen as rolled_up, case when seen::text = $3 then nullif($4, '')::pg_snapshot else seen end as since
    from usage_rolled_up
  ), recent as (
    select organization_id, (at at time zone 'UTC')::date - date '1970-01-01' as day, sum(cost) as charged
    from ${usageSince("(select since from now)")} group by 1, 2
  )
  select rolled_up::text, pg_current_snapshot()::text as seen,
    array(
      select coalesce((select sum(d.charged) from usage_day d
        where d.organization_id = a.organization_id and d.day = date '1970-01-01' + a.since_1970), 0)::text
      from unnest($1::text[], $2::int4[]) with ordinality as a(organization_id, since_1970, place)
      order by a.place
    ) as used,
    (select json_agg(json_build_array(organization_id, day, charged)) from recent) as recent
  from now`

const away = unavailable((fault) => new DayUsesUnavailable({ fault }))
