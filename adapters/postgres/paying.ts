import * as DateTime from "effect/DateTime"
import { usageStatus } from "../../core/organization/usage.ts"
import type { Charge } from "../../core/port/Ledger.ts"

/** What is charged, as SQL. */
export interface Paying {
  /** Which accounts `a` pay: a FROM, where there is one, and a WHERE. */
  readonly ofAccounts: string
  /** What each pays, and when. */
  readonly cost: string
  readonly at: string
  /** From the request id on, the columns of the usage rows; `paid p` says who paid. */
  readonly rows: string
}

/**
 * Two parts of a WITH: `paid` takes what is plain for the kernel, where no renewal is due and one source
 * covers it all, and `used` writes the usage rows of it. `paid.available` is what was there before.
 *
 * What another transaction did to a row that this one waited for is seen: PostgreSQL asks the conditions
 * again, and `old` is the row as it was changed.
 */
export const paying = ({ ofAccounts, cost, at, rows }: Paying): string => `paid as (
    update account a set
      allowance = a.allowance - case when a.allowance > 0 then ${cost} else 0 end,
      purchased = a.purchased - case when a.allowance > 0 then 0 else ${cost} end
    ${ofAccounts}
      and ${cost} > 0 and ${at} < a.renews_at
      and ${cost} <= case when a.allowance > 0 then a.allowance else a.purchased end
    returning a.organization_id, a.renews_at, old.allowance + old.purchased as available,
      case when old.allowance > 0 then 'allowance' else 'purchased' end as paid_from
  ), used as (
    insert into usage
      (organization_id, status, paid_from, renews_at, request_id, cost, operation, caller, source, tool, person, at)
    select p.organization_id, ${usageStatus}, p.paid_from, p.renews_at, ${rows}
  )`

/**
 * The same for one charge, whose columns are the first parameters. Without lists PostgreSQL takes two thirds
 * of the time (docs/decisions/0063).
 */
export const payingForOne = paying({
  ofAccounts: "where a.organization_id = $1::text",
  cost: "$2::int4",
  at: "$3::timestamptz",
  rows: "$4::text, $2::int4, $5::text, $6::text, $7::text, $8::text, $9::text, $3::timestamptz from paid p"
})

/** So many parameters `payingForOne` has. */
export const parametersForOne = 9

/** Undefined: nothing is charged. */
export const parametersOfOne = (charge: Charge | undefined): ReadonlyArray<unknown> => [
  charge?.organizationId ?? null,
  charge?.cost ?? null,
  charge === undefined ? null : timeText(charge.atMs),
  charge?.requestId ?? null,
  charge?.operation ?? null,
  charge?.caller ?? null,
  charge?.source ?? null,
  charge?.tool ?? null,
  charge?.person ?? null
]

export const timeText = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))
