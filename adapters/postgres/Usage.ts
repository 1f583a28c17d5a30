import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { UsageLine } from "../../core/organization/usage.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { Usage, usageLinesMax, UsageUnavailable } from "../../core/port/Usage.ts"
import { atomically, unavailable } from "./Database.ts"
import { rollUp } from "./rollUp.ts"

/** Usage by day in PostgreSQL: lines that grow by each roll-up, a primary-key range for a page. */
export const layer = Layer.effect(
  Usage,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Usage.of({
      summarize: ({ organizationId, from, to }) =>
        unavailable(failed)(
          Effect.map(
            sql<LineRow>`select day::text, operation, caller, source, tool, calls, credits, errors from (
                select * from usage_day
                where organization_id = ${organizationId} and day between ${from}::date and ${to}::date
                order by day desc, operation desc, caller desc, source desc, tool desc limit ${usageLinesMax}
              ) as newest order by newest.day, operation, caller, source, tool`,
            (rows) => rows.map(lineOf)
          )
        ),
      gather: unavailable(failed)(Effect.provideService(atomically(rollUp(sql)), SqlClient.SqlClient, sql))
    })
  )
)

const failed = (fault: StoreFault): UsageUnavailable => new UsageUnavailable({ fault })

interface LineRow {
  readonly day: IsoDate
  readonly operation: string
  readonly caller: string
  readonly source: UsageLine["source"]
  /** '': none. */
  readonly tool: string
  readonly calls: bigint
  readonly credits: bigint
  readonly errors: bigint
}

const lineOf = (row: LineRow): UsageLine => ({
  day: row.day,
  operation: row.operation,
  caller: row.caller,
  source: row.source,
  tool: row.tool === "" ? null : row.tool,
  calls: Number(row.calls),
  credits: Number(row.credits),
  errors: Number(row.errors)
})
