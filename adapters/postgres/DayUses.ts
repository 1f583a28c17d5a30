import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import type { SqlClient } from "effect/sql/SqlClient"
import { requestIdsOf } from "../../core/limit/quota.ts"
import { organizationOf } from "../../core/limit/subject.ts"
import { DayUses, DayUsesUnavailable } from "../../core/port/DayUses.ts"
import { Pool, unavailable } from "./Database.ts"

/** One statement holds no more of them, so that a busy organization keeps few others waiting. */
export const readTogetherMax = 25

/**
 * The day's use summed from the ledger's charges by a range of its primary key; what is asked in the same
 * turn is read together, since after midnight everybody's first call asks. Over the pool, since the busiest
 * organization has a quarter of a million rows a day, which take longer than a read by key.
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
        return Effect.request(DayUse({ organizationId, ...requestIdsOf(day) }), together)
      }
    })
  })
)

/** The use of one organization by the calls whose ids are at least `from` and below `until`. */
interface DayUse extends Request.Request<number, DayUsesUnavailable> {
  readonly _tag: "DayUse"
  readonly organizationId: string
  readonly from: string
  readonly until: string
}
const DayUse = Request.tagged<DayUse>("DayUse")

const readAll = (sql: SqlClient, entries: ReadonlyArray<Request.Entry<DayUse>>) => {
  const asked = entries.map(({ request }) => request)
  return Effect.map(
    away(
      sql<{ readonly used: bigint }>`select (
          select coalesce(sum(e.amount), 0)::bigint from ledger_entry e
          where e.organization_id = a.organization_id and e.reference >= a.since and e.reference < a.until
            and e.kind = 'charge'
        ) as used
        from unnest(${asked.map(({ organizationId }) => organizationId)}::text[],
          ${asked.map(({ from }) => from)}::text[], ${asked.map(({ until }) => until)}::text[])
          with ordinality as a(organization_id, since, until, place)
        order by a.place`
    ),
    (rows) => {
      for (const [index, entry] of entries.entries())
        entry.completeUnsafe(Exit.succeed(Number(rows[index]?.used ?? 0)))
    }
  )
}

const away = unavailable((fault) => new DayUsesUnavailable({ fault }))
