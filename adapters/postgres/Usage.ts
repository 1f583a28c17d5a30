import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { UsageLine } from "../../core/organization/usage.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import { Usage, usageLinesMax, UsageUnavailable } from "../../core/port/Usage.ts"
import { atomically, unavailable } from "./Database.ts"

/** Usage by day in PostgreSQL: lines that grow by what is pending, a primary-key range for a page. */
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
      gather: unavailable(failed)(Effect.provideService(atomically(gather(sql)), SqlClient.SqlClient, sql))
    })
  )
)

const failed = (fault: StoreFault): UsageUnavailable => new UsageUnavailable({ fault })

/** Held while somebody gathers: nobody waits for it, and what is written meanwhile comes next. */
const gatherLock = 62

/**
 * From the first page that has a row, so many pages: what lies there is read where it lies, and the rest not
 * at all. Asked for row by row, PostgreSQL may compare every row with every other.
 */
const gather = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [turn] = yield* sql<{
    readonly held: boolean
  }>`select pg_try_advisory_xact_lock(${gatherLock}) as held`
  if (turn?.held !== true) return 0
  const [first] = yield* sql<{ readonly page: string }>`select split_part(ctid::text, ',', 1) as page
    from usage_pending limit 1`
  if (first === undefined) return 0
  const page = Number(first.page.slice(1))
  const pages = [`(${page},0)`, `(${page + gatheredPages},0)`]
  const [row] = yield* sql.unsafe<{ readonly gathered: bigint }>(gathering, pages)
  return Number(row?.gathered ?? 0)
})

/** Up to a hundred rows each. */
const gatheredPages = 400

// Whose credits moved is looked at for notices (Notices.observe).
const gathering = `with taken as (
    delete from usage_pending where ctid >= $1::text::tid and ctid < $2::text::tid returning *
  ), summed as (
    select organization_id, (at at time zone 'UTC')::date as day, operation collate "C" as operation,
      caller collate "C" as caller, source collate "C" as source, tool collate "C" as tool,
      sum(calls) as calls, sum(credits) as credits, sum(errors) as errors
    from taken group by 1, 2, 3, 4, 5, 6
  ), added as (
    insert into usage_day as line
      (organization_id, day, operation, caller, source, tool, calls, credits, errors)
    select * from summed
    on conflict (organization_id, day, operation, caller, source, tool) do update set
      calls = line.calls + excluded.calls, credits = line.credits + excluded.credits,
      errors = line.errors + excluded.errors
  ), looked as (
    insert into notice_look (organization_id, endpoint_id)
    select distinct organization_id, 0 from taken order by 1 on conflict do nothing
  )
  select count(*) as gathered from taken`

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
