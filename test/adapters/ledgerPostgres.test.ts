import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { Pool } from "../../adapters/postgres/Database.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { ensurePartitions } from "../../adapters/postgres/partitions.ts"
import { idRandomBytes, timeId } from "../../core/id/timeId.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { chargeOf, newAccount } from "../kit/accounts.ts"
import { postgresAt } from "../stores/accounts.ts"
import { beganMs } from "../kit/creditHistory.ts"
import { freshDatabase } from "../kit/postgres.ts"

/** The ports over a fresh database, with a client of the test's own to look behind them. */
const ledger = Layer.unwrap(
  Effect.map(freshDatabase, (connection) => Layer.merge(postgresAt(connection), Database.layer(connection)))
)

const atOnce = { concurrency: "unbounded" } as const

const stated = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  return yield* (yield* Ledger).statement({ organizationId, nowMs: beganMs })
})

describe("the ledger in PostgreSQL", () => {
  it.live("a charge PostgreSQL cannot store fails alone; the others of its batch are charged", () =>
    Effect.gen(function* () {
      const { charge } = yield* Ledger
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const charges = Array.from({ length: 50 }, (_, index) =>
        chargeOf(organizationId, index === 25 ? { caller: "a\u0000b" } : {})
      )
      const exits = yield* Effect.forEach(charges, (one) => Effect.exit(charge(one)), atOnce)
      expect(exits.map(Exit.isSuccess).indexOf(false)).toBe(25)
      expect(exits.filter(Exit.isSuccess)).toHaveLength(49)
      expect(yield* stated(organizationId)).toMatchObject({ charged: 49, balance: 51 })
    }).pipe(Effect.provide(ledger))
  )

  it.live("connections cut in the middle: what is charged is written once, what is unreachable is not", () =>
    Effect.gen(function* () {
      const { charge } = yield* Ledger
      const sql = yield* Pool
      const { organizationId } = yield* newAccount({ pack: "scale" })
      const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
      const seen = new Map<string, string>()
      for (let round = 0; round < 40; round++) {
        const charges = Array.from({ length: 20 }, () => chargeOf(organizationId))
        const flushed = Effect.forEach(
          charges,
          (one) =>
            Effect.match(charge(one), {
              onSuccess: () => seen.set(one.requestId, "charged"),
              onFailure: ({ fault }) => seen.set(one.requestId, fault)
            }),
          { concurrency: "unbounded" }
        )
        yield* Effect.all([flushed, cut], { concurrency: "unbounded" })
      }
      const rows = yield* sql<{ readonly reference: string }>`select reference from ledger_entry
        where organization_id = ${organizationId} and kind = 'charge'`
      const written = new Set(rows.map(({ reference }) => reference))
      const outcomes = [...seen].map(([requestId, outcome]) => `${outcome}:${written.has(requestId)}`)
      expect(outcomes).toContain("charged:true")
      expect(outcomes).not.toContain("charged:false")
      expect(outcomes).not.toContain("unreachable:true")
      expect(outcomes).not.toContain("refused:true")
      expect(yield* stated(organizationId)).toMatchObject({ charged: rows.length })
    }).pipe(Effect.provide(ledger))
  )

  it.live("entries are never changed or deleted, and keys never deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* newAccount({ pack: "credits" })
      for (const statement of [
        "update credit_move set amount = 1",
        "delete from credit_move",
        "truncate credit_move",
        "truncate api_key"
      ]) {
        const error = yield* Effect.flip(sql.unsafe(statement))
        expect(String(error.reason.cause)).toContain("never changed or deleted")
      }
    }).pipe(Effect.provide(ledger))
  )

  it.live("contract §1 a charge writes its usage row as status 200, and a refused one writes none", () =>
    Effect.gen(function* () {
      const { charge } = yield* Ledger
      const sql = yield* SqlClient.SqlClient
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const tool = { source: "mcp", tool: "coverage_lookup", person: "usr_1" } as const
      yield* charge(chargeOf(organizationId, { cost: 95, ...tool }))
      yield* charge(chargeOf(organizationId, { cost: 6 }))
      yield* charge(chargeOf(organizationId, { cost: 5 }))
      expect(
        yield* sql`select operation, cost, status, source, tool, person from usage
        where organization_id = ${organizationId} order by request_id`
      ).toEqual([
        { operation: "codes.lookup", cost: 95, status: 200, ...tool },
        { operation: "codes.lookup", cost: 5, status: 200, source: "api", tool: null, person: null }
      ])
    }).pipe(Effect.provide(ledger))
  )

  it.live("months have partitions of their own, made once, and the ledger sums over them", () =>
    Effect.gen(function* () {
      const { charge, refund } = yield* Ledger
      const sql = yield* SqlClient.SqlClient
      expect(yield* ensurePartitions(beganMs)).toBe(6)
      expect(yield* ensurePartitions(beganMs)).toBe(0)
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const requestId = `req_${timeId({ nowMs: beganMs, randomBytes: new Uint8Array(idRandomBytes) })}`
      yield* charge(chargeOf(organizationId, { requestId, cost: 3 }))
      expect(yield* refund({ organizationId, requestId, atMs: beganMs })).toBe(true)
      expect(
        yield* sql`select tableoid::regclass::text as home, kind from credit_move
          union all select tableoid::regclass::text, 'charge' from usage order by home`
      ).toEqual([
        { home: "ledger_entry_2026_11", kind: "refund" },
        { home: "ledger_entry_terms", kind: "grant" },
        { home: "usage_2026_11", kind: "charge" }
      ])
      expect(yield* stated(organizationId)).toMatchObject({ balance: 100, entries: 3 })
    }).pipe(Effect.provide(ledger))
  )
})
