import * as PgTypes from "@effect/sql-pg/PgTypes"
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
export const quickPlanning: Readonly<Record<string, string>> = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off"
}

/**
 * Charges a whole batch in one statement that commits by itself, for every organization where the kernel's
 * answer is plain: no renewal due, and one source covers all its charges of the batch. Answers one decision
 * per charge; undefined where nothing was taken and the kernel must decide (`settleCharges`).
 *
 * The same statement says which calls of this process are charged and not answered (decision 0020).
 *
 * A request id that was charged before is refused by the key of `usage`, and the whole batch with it.
 */
export const quickCharge = (charges: ReadonlyArray<Charge>, listing: Listing): QuickCharge => {
  const sums = sumsOf(charges)
  return {
    question: { statement, parameters: [...parametersOf(charges, sums), ...listingParameters(listing)] },
    decisions: (rows) => decisionsOf(charges, sums, rows as ReadonlyArray<PaidRow>)
  }
}

/** What to ask, and what the answer means. */
export interface QuickCharge {
  readonly question: Question
  readonly decisions: (
    rows: ReadonlyArray<ReadonlyArray<unknown>>
  ) => ReadonlyArray<ChargeDecision | undefined>
}

/** An organization's place among those of the batch, and what was there before the batch was taken. */
type PaidRow = readonly [place: number, available: number]

/** The elements of `lines`. */
const linesSql = (parameter: number): string => `string_to_array($${parameter}, chr(10))`

// What another transaction did to a row that this one waited for is seen: PostgreSQL asks the conditions
// again, and `old` is the row as it was changed. A deadlock, if the order were ever another, is refused, and
// the kernel then charges the batch.
const statement = `with wanted as (
    select * from unnest(${linesSql(1)}, $2::int4[], $3::timestamptz[])
      with ordinality as w(organization_id, cost, latest, place)
  ), paid as (
    update account a set
      allowance = a.allowance - case when a.allowance > 0 then w.cost else 0 end,
      purchased = a.purchased - case when a.allowance > 0 then 0 else w.cost end
    from wanted w
    where a.organization_id = w.organization_id and w.latest < a.renews_at
      and w.cost <= case when a.allowance > 0 then a.allowance else a.purchased end
    returning a.organization_id, w.place, w.cost, w.latest, a.renews_at, old.allowance + old.purchased as available,
      case when old.allowance > 0 then 'allowance' else 'purchased' end as source
  ), batch as materialized (
    select p.organization_id, p.source as paid_from, p.renews_at, b.request_id,
      coalesce(b.cost, p.cost) as cost, coalesce(b.at, p.latest) as at,
      coalesce(b.operation, ($8::text[])[1]) as operation, b.caller,
      coalesce(b.source, ($10::text[])[1]) as source, coalesce(b.tool, ($11::text[])[1]) as tool,
      coalesce(b.person, ($12::text[])[1]) as person
    from unnest($4::int4[], ${linesSql(5)}, $6::int4[], $7::timestamptz[], $8::text[], ${linesSql(9)}, $10::text[],
      $11::text[], $12::text[])
      with ordinality as b(place, request_id, cost, at, operation, caller, source, tool, person, nth)
    join paid p on p.place = coalesce(b.place, b.nth)
  ), entered as (
    insert into ledger_entry (organization_id, reference, kind, source, amount, renews_at, at)
    select organization_id, request_id, 'charge', paid_from, cost, renews_at, at from batch
  ), used as (
    insert into usage (organization_id, request_id, operation, cost, status, caller, source, tool, person, at)
    select organization_id, request_id, operation, cost, ${usageStatus}, caller, source,
      nullif(tool, ''), nullif(person, ''), at from batch
  ), pending as (
    insert into usage_pending (organization_id, operation, caller, source, tool, calls, credits, errors, at)
    select organization_id, operation, caller, source, tool, 1, cost, 0, at from batch
  ), listed as (${listingSql(13)}
  )
  select place::int4, available::float8 from paid`

/** What the batch asks of one organization. */
interface Sum {
  readonly organizationId: OrganizationId
  cost: number
  latestMs: number
  /** Counted from one, by id. */
  place: number
}

const sumsOf = (charges: ReadonlyArray<Charge>): ReadonlyMap<OrganizationId, Sum> => {
  const sums = new Map<OrganizationId, Sum>()
  for (const { organizationId, cost, atMs } of charges) {
    const sum = sums.get(organizationId)
    if (sum === undefined) sums.set(organizationId, { organizationId, cost, latestMs: atMs, place: 1 })
    else {
      sum.cost += cost
      sum.latestMs = Math.max(sum.latestMs, atMs)
    }
  }
  return sums
}

const parametersOf = (
  charges: ReadonlyArray<Charge>,
  sums: ReadonlyMap<OrganizationId, Sum>
): ReadonlyArray<unknown> => {
  const ordered = [...sums.values()].sort((one, other) =>
    one.organizationId < other.organizationId ? -1 : 1
  )
  ordered.forEach((sum, index) => {
    sum.place = index + 1
  })
  const placeOf = ({ organizationId }: Charge): number => sums.get(organizationId)?.place ?? 0
  // Where everybody has one charge, what it costs and when is said by its organization's place already.
  const areLone = ordered.length === charges.length
  const listed = [...charges]
  if (areLone) for (const charge of charges) listed[placeOf(charge) - 1] = charge
  const unlessLone = (column: ReadonlyArray<number>) => (areLone ? [] : column)
  return [
    lines(ordered.map(({ organizationId }) => organizationId)),
    integers(ordered.map(({ cost }) => cost)),
    times(ordered.map(({ latestMs }) => latestMs)),
    integers(unlessLone(listed.map(placeOf))),
    lines(listed.map(({ requestId }) => requestId)),
    integers(unlessLone(listed.map(({ cost }) => cost))),
    times(unlessLone(listed.map(({ atMs }) => atMs))),
    texts(onceIfAlike(listed.map(({ operation }) => operation))),
    lines(listed.map(({ caller }) => caller)),
    texts(onceIfAlike(listed.map(({ source }) => source))),
    texts(onceIfAlike(listed.map(({ tool }) => tool ?? ""))),
    texts(onceIfAlike(listed.map(({ person }) => person ?? "")))
  ]
}

/**
 * A column that says the same of every call is sent as one element: the rows it is missing in take the first.
 */
const onceIfAlike = (column: ReadonlyArray<string>): ReadonlyArray<string> =>
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
  sums: ReadonlyMap<OrganizationId, Sum>,
  rows: ReadonlyArray<PaidRow>
): ReadonlyArray<ChargeDecision | undefined> => {
  const left: Array<number | undefined> = []
  for (const [place, available] of rows) left[place] = available
  return charges.map(({ organizationId, cost }) => {
    const place = sums.get(organizationId)?.place ?? 0
    const before = left[place]
    if (before === undefined) return undefined
    left[place] = before - cost
    return { _tag: "Charged", available: before - cost }
  })
}
