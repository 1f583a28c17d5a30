import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { usageStatus } from "../../core/organization/usage.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import type { Listing } from "./openCalls.ts"
import type { Question } from "./ownConnection.ts"
import { listingParameters, listingSql } from "./sessionRow.ts"

/**
 * How PostgreSQL plans the statement: once, and without reading whole tables. What is left goes through the
 * accounts by their ids in ascending order, in which all who lock several of them lock them.
 */
export const fastPlanSettings: Readonly<Record<string, string>> = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off"
}

/** What is charged, as SQL. */
interface ChargeSqlParts {
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
export const chargeSql = ({ ofAccounts, cost, at, rows }: ChargeSqlParts): string => `paid as (
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
 * of the time (docs/performance.md).
 */
export const payingForOne = chargeSql({
  ofAccounts: "where a.organization_id = $1::text",
  cost: "$2::int4",
  at: "$3::timestamptz",
  rows: "$4::text, $2::int4, $5::text, $6::text, $7::text, $8::text, $9::text, $3::timestamptz from paid p"
})

/** So many parameters `payingForOne` has. */
const parametersForOne = 9

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

const timeText = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))

/**
 * Charges a whole batch in one statement that commits by itself, for every organization where the kernel's
 * answer is plain: no renewal due, and one source covers all its charges of the batch. Answers one decision
 * per charge; undefined where nothing was taken and the kernel must decide (`chargeSlow`).
 *
 * The same statement says which calls of this process are charged and not answered (decision 0012).
 *
 * A request id that was charged before is refused by the key of `usage`, and the whole batch with it.
 */
export const chargeFast = (charges: ReadonlyArray<Charge>, listing: Listing): FastCharge => {
  const [only, ...others] = charges
  const question =
    only !== undefined && others.length === 0
      ? { statement: ofOne, parameters: [...parametersOfOne(only), ...listingParameters(listing)] }
      : { statement: ofMany, parameters: [...parametersOfMany(charges), ...listingParameters(listing)] }
  return { question, decisions: (rows) => decisionsOf(charges, rows as ReadonlyArray<PaidRow>) }
}

/** What to ask, and what the answer means. */
export interface FastCharge {
  readonly question: Question
  readonly decisions: (
    rows: ReadonlyArray<ReadonlyArray<unknown>>
  ) => ReadonlyArray<ChargeDecision | undefined>
}

/** What was there before the batch was taken. */
type PaidRow = readonly [organizationId: OrganizationId, available: number]

const ofOne = `with ${payingForOne}, listed as (${listingSql(parametersForOne + 1)}
  )
  select organization_id, available::float8 from paid`

/** The elements of `lines`. */
const linesSql = (parameter: number): string => `string_to_array($${parameter}, chr(10))`

const ofMany = `with wanted as (
    select organization_id, coalesce(cost, ($2::int4[])[1]) as cost
    from unnest(${linesSql(1)}, $2::int4[]) as w(organization_id, cost)
  ), ${chargeSql({
    ofAccounts: "from wanted w where a.organization_id = w.organization_id",
    cost: "w.cost",
    at: "$3::timestamptz",
    rows: `b.request_id, coalesce(b.cost, ($5::int4[])[1]), coalesce(b.operation, ($6::text[])[1]), b.caller,
      coalesce(b.source, ($8::text[])[1]), nullif(coalesce(b.tool, ($9::text[])[1]), ''),
      nullif(coalesce(b.person, ($10::text[])[1]), ''), coalesce(b.at, ($11::timestamptz[])[1])
    from unnest(${linesSql(1)}, ${linesSql(4)}, $5::int4[], $6::text[], ${linesSql(7)}, $8::text[], $9::text[],
      $10::text[], $11::timestamptz[])
      as b(organization_id, request_id, cost, operation, caller, source, tool, person, at)
    join paid p on p.organization_id = b.organization_id`
  })}, listed as (${listingSql(12)}
  )
  select organization_id, available::float8 from paid`

const parametersOfMany = (charges: ReadonlyArray<Charge>): ReadonlyArray<unknown> => {
  const listed = charges.toSorted((one, other) => (one.organizationId < other.organizationId ? -1 : 1))
  return [
    lines(listed.map(({ organizationId }) => organizationId)),
    integers(onceIfAlike(sumsOf(listed))),
    timeText(Math.max(...listed.map(({ atMs }) => atMs))),
    lines(listed.map(({ requestId }) => requestId)),
    integers(onceIfAlike(listed.map(({ cost }) => cost))),
    texts(onceIfAlike(listed.map(({ operation }) => operation))),
    lines(listed.map(({ caller }) => caller)),
    texts(onceIfAlike(listed.map(({ source }) => source))),
    texts(onceIfAlike(listed.map(({ tool }) => tool ?? ""))),
    texts(onceIfAlike(listed.map(({ person }) => person ?? ""))),
    times(onceIfAlike(listed.map(({ atMs }) => atMs)))
  ]
}

/** Beside an organization's first charge what all of them cost, and nothing beside its others. */
const sumsOf = (listed: ReadonlyArray<Charge>): ReadonlyArray<number> => {
  const sums: Array<number> = []
  let first = 0
  for (const [nth, { organizationId, cost }] of listed.entries()) {
    if (listed[first]?.organizationId !== organizationId) first = nth
    sums[nth] = 0
    sums[first] = (sums[first] ?? 0) + cost
  }
  return sums
}

/**
 * A column that says the same of every call is sent as one element: the rows it is missing in take the first.
 */
const onceIfAlike = <A>(column: ReadonlyArray<A>): ReadonlyArray<A> =>
  column.every((value) => value === column[0]) ? column.slice(0, 1) : column

/** Ids, which hold no line end, as one text: written one by one, each costs as much as all of them. */
const lines = (column: ReadonlyArray<string>): string => column.join("\n")

const columnOf = (oid: number) => (column: ReadonlyArray<unknown>) =>
  Result.getOrThrow(PgTypes.array(column, oid))

const texts = columnOf(PgTypes.OID.text)
const integers = columnOf(PgTypes.OID.int4)
const times = columnOf(PgTypes.OID.timestamptz)

const decisionsOf = (
  charges: ReadonlyArray<Charge>,
  rows: ReadonlyArray<PaidRow>
): ReadonlyArray<ChargeDecision | undefined> => {
  const left = new Map(rows)
  return charges.map(({ organizationId, cost }) => {
    const before = left.get(organizationId)
    if (before === undefined) return undefined
    left.set(organizationId, before - cost)
    return { _tag: "Charged", available: before - cost }
  })
}
