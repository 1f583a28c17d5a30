import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import type { SqlClient } from "effect/sql/SqlClient"
import { organizationOf } from "../../core/limit/subject.ts"
import { DayUses, DayUsesUnavailable } from "../../core/port/DayUses.ts"
import { Pool, unavailable } from "./Database.ts"
import { usageTail } from "./rollUp.ts"

/** One statement holds no more of them; the rows not rolled up are read once for all. */
export const readTogetherMax = 100

/**
 * The day's use from the usage by day and the rows not rolled up into it; what is asked in the same turn is
 * read together, since after midnight everybody's first call asks. Over the pool, since the rows of some
 * seconds take longer than a read by key.
 */
export const layer = Layer.effect(
  DayUses,
  Effect.map(Pool, (sql) => {
    const together = RequestResolver.batchN(
      RequestResolver.make<DayUse>((entries) => readAll(sql, entries)),
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

const readAll = (sql: SqlClient, entries: ReadonlyArray<Request.Entry<DayUse>>) => {
  const asked = entries.map(({ request }) => request)
  return Effect.map(
    away(
      sql.unsafe<{ readonly used: bigint }>(readDays, [
        asked.map(({ organizationId }) => organizationId),
        asked.map(({ day }) => day)
      ])
    ),
    (rows) => {
      for (const [index, entry] of entries.entries())
        entry.completeUnsafe(Exit.succeed(Number(rows[index]?.used ?? 0)))
    }
  )
}

const readDays = `with asked as materialized (
    select organization_id, date '1970-01-01' + since_1970 as day, place
    from unnest($1::text[], $2::int4[]) with ordinality as a(organization_id, since_1970, place)
  ), recent as materialized (
    select organization_id, (at at time zone 'UTC')::date as day, sum(cost) as charged
    from ${usageTail} where organization_id = any($1) group by 1, 2
  )
  select (
      coalesce((select sum(d.charged) from usage_day d
        where d.organization_id = a.organization_id and d.day = a.day), 0)
      + coalesce((select r.charged from recent r
        where r.organization_id = a.organization_id and r.day = a.day), 0)
    )::bigint as used
  from asked a order by a.place`

const away = unavailable((fault) => new DayUsesUnavailable({ fault }))
