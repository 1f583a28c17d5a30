import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresDayUses from "../../adapters/postgres/DayUses.ts"
import * as PostgresLedger from "../../adapters/postgres/Ledger.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import * as PostgresOrganizations from "../../adapters/postgres/Organizations.ts"
import { ensurePartitions } from "../../adapters/postgres/partitions.ts"
import { recountRestored } from "../../adapters/postgres/rollUp.ts"
import * as PostgresUsage from "../../adapters/postgres/Usage.ts"
import { dayMs } from "../../core/limit/quota.ts"
import { timeId, timePart } from "../../core/id/timeId.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { DayUses } from "../../core/port/DayUses.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { Ledger, silentSweeps } from "../../core/port/Ledger.ts"
import { Usage } from "../../core/port/Usage.ts"
import { chargeOf, freshId } from "../kit/accounts.ts"
import { emptyDatabase } from "../kit/postgres.ts"
import { sweeps } from "../kit/unansweredLaws.ts"
import {
  chargedBefore,
  correctedBefore,
  dayUseBefore,
  gatheredBefore,
  refundedBefore
} from "../kit/versionBefore.ts"

const day = 20_778
const beganMs = day * dayMs + dayMs / 2

const portsOver = (clients: Layer.Layer<Layer.Success<ReturnType<typeof Database.layer>>>) =>
  Layer.fresh(
    Layer.mergeAll(
      PostgresLedger.layer,
      PostgresOrganizations.layer,
      PostgresUsage.layer,
      PostgresDayUses.layer
    )
  ).pipe(Layer.provideMerge(clients), Layer.orDie)

let drawn = 0

/** A charge of the day or of the one before, under an id that begins with its time. */
const drawCharge = (organizationId: OrganizationId, nth: number): Charge => {
  const atMs = beganMs - (nth % 3 === 0 ? dayMs : 0) + nth
  const randomBytes = new Uint8Array(10)
  new DataView(randomBytes.buffer).setUint32(6, drawn++)
  return chargeOf(organizationId, {
    requestId: `req_${timeId({ nowMs: atMs, randomBytes })}`,
    atMs,
    cost: (nth % 4) + 1,
    caller: "key_1"
  })
}

/** Organizations with their grants, in a database that the version before has made. */
const organizationsBefore = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* migrate(migrations.filter(({ id }) => id < 19))
  const ids = Array.from({ length: count }, () => freshId("org_") as OrganizationId)
  for (const id of ids) {
    yield* sql`insert into organization (organization_id, name, created_at) values (${id}, 'Clinic', now())`
    yield* sql`insert into account (organization_id, pack, allowance, purchased, overage_used, renews_at)
      values (${id}, 'build', 4000, 200, 0, '2099-01-01')`
    yield* sql`insert into ledger_entry (organization_id, reference, kind, source, amount, renews_at, at)
      values (${id}, 'grant:1', 'grant', 'allowance', 4000, '2099-01-01', now()),
        (${id}, 'grant:1', 'grant', 'purchased', 200, '2099-01-01', now())`
  }
  return ids
})

/** Whoever counts, counts the same: the ledger, the account, usage by day and the day's use. */
const agree = Effect.fnUntraced(function* (ids: ReadonlyArray<OrganizationId>) {
  const sql = yield* SqlClient.SqlClient
  const [ledger, usage, dayUses] = [yield* Ledger, yield* Usage, yield* DayUses]
  const [from, until] = [`req_${timePart(day * dayMs)}`, `req_${timePart((day + 1) * dayMs)}`]
  for (const organizationId of ids) {
    const statement = yield* ledger.statement({ organizationId, nowMs: beganMs })
    const [sums] = yield* sql`select sum(amount) filter (where kind = 'grant')::int as granted,
        coalesce(sum(amount) filter (where kind = 'charge'), 0)::int as charged,
        coalesce(sum(amount) filter (where kind = 'refund'), 0)::int as refunded,
        coalesce(sum(amount) filter (where kind = 'expire'), 0)::int as expired, count(*)::int as entries
      from ledger_entry where organization_id = ${organizationId}`
    expect(statement).toMatchObject(sums ?? {})
    const { granted, charged, refunded, expired, balance } = statement ?? expect.fail("no statement")
    expect(granted - charged + refunded - expired).toBe(balance)
    expect(yield* dayUses.read({ subject: `org:${organizationId}`, day })).toBe(
      yield* dayUseBefore({ organizationId, from, until })
    )
  }
  while ((yield* usage.gather) > 0);
  expect(
    yield* sql`select organization_id, day::text, calls::int, credits::int, errors::int, charged::int
      from usage_day order by organization_id, day`
  ).toEqual(
    yield* sql`select organization_id, (at at time zone 'UTC')::date::text as day, count(*)::int as calls,
        sum(case when status >= 500 then 0 else cost end)::int as credits,
        count(*) filter (where status >= 400)::int as errors, sum(cost)::int as charged
      from usage group by 1, 2 order by 1, 2`
  )
  expect(
    yield* sql`select reference from ledger_entry where kind in ('charge', 'refund')
      group by organization_id, reference, kind having count(distinct source) < count(*)`
  ).toEqual([])
})

/** What both versions do to one store, as they draw it. */
const playing = Effect.fnUntraced(function* (options: {
  readonly ids: ReadonlyArray<OrganizationId>
  readonly seed: number
  readonly turns: number
  readonly done: Array<Charge>
  readonly refunds: Map<string, number>
  readonly now: Context.Context<Ledger | Usage> | undefined
}) {
  const { ids, done, refunds, now } = options
  const acts = fc.sample(fc.record({ act: fc.nat(99), pick: fc.nat(9_999), isNew: fc.boolean() }), {
    numRuns: options.turns,
    seed: options.seed
  })
  for (const { act, pick, isNew } of acts) {
    const ports = isNew ? now : undefined
    const ledger = ports && Context.get(ports, Ledger)
    const charge = done[pick % Math.max(1, done.length)]
    if (act < 55 || charge === undefined) {
      const fresh = drawCharge(ids[pick % ids.length] ?? expect.fail("none"), pick)
      const decided = yield* ledger === undefined
        ? chargedBefore(fresh)
        : Effect.map(ledger.charge(fresh), ({ _tag }) => _tag === "Charged")
      if (decided) done.push(fresh)
    } else if (act < 70) {
      const given = yield* ledger === undefined ? refundedBefore(charge) : ledger.refund(charge)
      if (given) refunds.set(charge.requestId, (refunds.get(charge.requestId) ?? 0) + 1)
      if (given && ledger !== undefined) yield* ledger.ended({ ...charge, status: 503 })
    } else if (act < 85) {
      if (ledger === undefined) yield* correctedBefore(charge, 404)
      else yield* ledger.ended({ ...charge, status: 404 })
    } else yield* ports === undefined ? gatheredBefore : Context.get(ports, Usage).gather
  }
})

/** A database of the version before, the clients of a process of each version, and the charges so far. */
const scene = <A, E>(
  play: Effect.Effect<A, E, SqlClient.SqlClient | Layer.Success<ReturnType<typeof portsOver>>>
) =>
  Effect.scoped(
    Effect.flatMap(emptyDatabase, (connection) =>
      Effect.provide(play, portsOver(Layer.orDie(Database.layer(connection))))
    )
  )

describe("a charge as one row (migration 0019)", () => {
  it.live("what both versions charge, refund, correct and sum, through and after it, is counted once", () =>
    scene(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const now = yield* Effect.context<Ledger | Usage>()
        const ids = yield* organizationsBefore(4)
        const done: Array<Charge> = []
        const refunds = new Map<string, number>()
        const play = (seed: number, turns: number, ports?: typeof now) =>
          playing({ ids, seed, turns, done, refunds, now: ports })
        yield* play(1, 150)
        yield* gatheredBefore
        yield* play(2, 30)
        // Five processes of the version before go on while it runs.
        yield* Effect.all(
          [migrate(migrations), ...Array.from({ length: 5 }, (_, nth) => play(10 + nth, 40))],
          { concurrency: "unbounded" }
        )
        yield* agree(ids)
        yield* Effect.all(
          Array.from({ length: 6 }, (_, nth) => play(20 + nth, 120, now)),
          { concurrency: "unbounded" }
        )
        yield* Effect.sleep("1200 millis")
        yield* agree(ids)
        expect([...refunds.values()].filter((times) => times !== 1)).toEqual([])
        expect(yield* sql`select count(*)::int as rows from usage`).toEqual([{ rows: done.length }])
        expect(yield* sql`select count(*)::int as rows from usage_pending`).toEqual([{ rows: 0 }])
      })
    )
  )

  it.live("a month that has its partition is left alone by the version before", () =>
    scene(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrate(migrations)
        yield* ensurePartitions(beganMs)
        const [row] = yield* sql`select to_regclass('ledger_entry_2026_11') is not null as there`
        expect(row).toEqual({ there: true })
      })
    )
  )

  it.live("what a dead process of either version charged is given back once, whoever sweeps", () =>
    scene(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const [organizationId = expect.fail("none")] = yield* organizationsBefore(1)
        yield* migrate(migrations)
        const [old, recent] = [drawCharge(organizationId, 1), drawCharge(organizationId, 3)]
        yield* chargedBefore(old, `${organizationId} ${old.requestId}\n`)
        expect(yield* sweeps(ledger, silentSweeps + 1)).toEqual([0, 0, 0, 0, 0, 0, 1, 0])
        yield* ledger.charge(recent)
        expect(yield* refundedBefore(recent)).toBe(true)
        expect(yield* ledger.refund(recent)).toBe(false)
        expect(yield* refundedBefore(recent)).toBe(false)
        expect(yield* refundedBefore(old)).toBe(false)
        yield* agree([organizationId])
      })
    )
  )

  it.live("corrections, roll-ups and charges that commit late race, and the sums are exact", () =>
    scene(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* Ledger
        const { gather } = yield* Usage
        const ids = yield* organizationsBefore(3)
        yield* migrate(migrations)
        const late = (nth: number) =>
          sql.withTransaction(
            Effect.gen(function* () {
              const charge = drawCharge(ids[nth % 3] ?? expect.fail("none"), nth)
              yield* sql`select pg_current_xact_id()::text`
              yield* Effect.sleep(`${(nth * 37) % 200} millis`)
              expect(yield* chargedBefore(charge)).toBe(true)
              yield* Effect.sleep(`${(nth * 13) % 30} millis`)
              return charge
            })
          )
        const one = Effect.fnUntraced(function* (nth: number) {
          const charge =
            nth % 4 === 0 ? yield* late(nth) : drawCharge(ids[nth % 3] ?? expect.fail("none"), nth)
          if (nth % 4 !== 0) yield* ledger.charge(charge)
          if (nth % 3 === 0) yield* correctedBefore(charge, 404)
          if (nth % 5 === 0) yield* ledger.ended({ ...charge, status: 422 })
          if (nth % 7 === 0 && (yield* ledger.refund(charge))) yield* ledger.ended({ ...charge, status: 500 })
        })
        const rolling = Effect.andThen(gather, Effect.sleep("3 millis"))
        yield* Effect.raceFirst(
          Effect.forEach(
            Array.from({ length: 300 }, (_, nth) => nth),
            one,
            { concurrency: 8, discard: true }
          ),
          Effect.forever(rolling)
        )
        yield* Effect.sleep("1200 millis")
        yield* agree(ids)
        expect(yield* sql`select count(*)::int as rows from usage`).toEqual([{ rows: 300 }])
      })
    )
  )

  it.live("a database restored where transactions have lower numbers is counted anew", () =>
    scene(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* Ledger
        const { gather } = yield* Usage
        const ids = yield* organizationsBefore(2)
        const [organizationId = expect.fail("none")] = ids
        yield* migrate(migrations)
        yield* ledger.charge(drawCharge(organizationId, 1))
        yield* gather
        yield* ledger.charge(drawCharge(organizationId, 2))
        yield* sql`update usage set tx = (tx::text::bigint + 1000000000)::text::xid8`
        yield* sql`update usage_rolled_up set seen =
          (pg_snapshot_xmax(seen)::text::bigint + 1000000000 || ':' ||
            pg_snapshot_xmax(seen)::text::bigint + 1000000000 || ':')::pg_snapshot`
        yield* recountRestored
        yield* ledger.charge(drawCharge(organizationId, 4))
        yield* agree(ids)
        expect(yield* Effect.exit(recountRestored)).toEqual(Exit.void)
        yield* agree(ids)
      })
    )
  )
})
