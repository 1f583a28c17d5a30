import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { requestIdsOf } from "../../core/limit/quota.ts"
import { organizationOf } from "../../core/limit/subject.ts"
import { DayUses, DayUsesUnavailable } from "../../core/port/DayUses.ts"
import { Pool, unavailable } from "./Database.ts"

/**
 * The day's use summed from the ledger's charges by a range of its primary key. Over the pool, since the
 * busiest organization has a quarter of a million rows a day, which take longer than a read by key.
 */
export const layer = Layer.effect(
  DayUses,
  Effect.map(Pool, (sql) =>
    DayUses.of({
      read: ({ subject, day }) => {
        const organizationId = organizationOf(subject)
        if (organizationId === undefined) return Effect.succeed(0)
        const { from, until } = requestIdsOf(day)
        return away(
          Effect.map(
            sql<{ readonly used: bigint }>`select coalesce(sum(amount), 0)::bigint as used from ledger_entry
              where organization_id = ${organizationId} and reference >= ${from} and reference < ${until}
                and kind = 'charge'`,
            ([row]) => Number(row?.used ?? 0)
          )
        )
      }
    })
  )
)

const away = unavailable((fault) => new DayUsesUnavailable({ fault }))
