import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { flushWaitMs } from "../../adapters/postgres/flushCharges.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { chargeOf, newAccount } from "../kit/accounts.ts"
import { beganMs } from "../kit/creditHistory.ts"
import { mutedWay } from "../kit/mutedWay.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { severedWay } from "../kit/severed.ts"
import { postgresAt } from "../stores/accounts.ts"

/** A database of its own with a ledger over it, and a client to look behind it. */
const scene = <A, E>(
  play: (
    connection: Extract<Database.Connection, { readonly folder: string }>
  ) => Effect.Effect<
    A,
    E,
    Layer.Success<ReturnType<typeof postgresAt>> | SqlClient.SqlClient | Effect.Services<typeof freshDatabase>
  >
) =>
  Effect.scoped(
    Effect.flatMap(freshDatabase, (connection) =>
      "folder" in connection
        ? Effect.provide(
            play(connection),
            Layer.merge(postgresAt(connection), Layer.orDie(Database.layer(connection)))
          )
        : Effect.die("the run's PostgreSQL has no socket in a folder")
    )
  )

const ledgerAt = (connection: Database.Connection) =>
  Effect.map(Layer.build(postgresAt(connection)), (context) => Context.get(context, Ledger))

describe("flushes of charges, which have a connection of their own", () => {
  it.live("law 6: a connection that went while nobody charged is no charge that nobody can tell of", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const { way, sever } = yield* severedWay(connection)
        const ledger = yield* ledgerAt(way)
        const { organizationId } = yield* newAccount({ pack: "credits" })
        expect(yield* ledger.charge(chargeOf(organizationId))).toMatchObject({ available: 99 })
        yield* sever
        yield* Effect.sleep("50 millis")
        expect(yield* Effect.flip(ledger.charge(chargeOf(organizationId)))).toMatchObject({
          fault: "unreachable"
        })
      })
    )
  )

  it.live("and is made anew without the caller noticing", () =>
    scene(
      Effect.fnUntraced(function* () {
        const ledger = yield* Ledger
        const sql = yield* SqlClient.SqlClient
        const { organizationId } = yield* newAccount({ pack: "credits" })
        yield* ledger.charge(chargeOf(organizationId))
        yield* sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`
        yield* Effect.sleep("50 millis")
        expect(yield* ledger.charge(chargeOf(organizationId))).toEqual({ _tag: "Charged", available: 98 })
      })
    )
  )

  it.live("one that hangs is given up, its charges are settled, and the next ones get a new one", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const { way, carry } = yield* mutedWay(connection, "force_generic_plan")
        const ledger = yield* ledgerAt(way)
        const { organizationId } = yield* newAccount({ pack: "credits" })
        yield* ledger.charge(chargeOf(organizationId))
        yield* carry("silent")
        expect(yield* ledger.charge(chargeOf(organizationId))).toEqual({ _tag: "Charged", available: 98 })
        yield* carry("through")
        expect(yield* Effect.timeout(ledger.charge(chargeOf(organizationId)), flushWaitMs / 2)).toMatchObject(
          { available: 97 }
        )
      })
    )
  )

  it.live("what another transaction took while a charge waited for it is seen, and whence it is paid", () =>
    scene(
      Effect.fnUntraced(function* () {
        const ledger = yield* Ledger
        const sql = yield* SqlClient.SqlClient
        const { organizationId } = yield* newAccount({ pack: "build" })
        const [last, next] = [chargeOf(organizationId), chargeOf(organizationId)]
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update account set allowance = 1, purchased = 10
              where organization_id = ${organizationId}`
            const charging = yield* Effect.forkDetach(ledger.charge(last))
            yield* Effect.sleep("200 millis")
            return charging
          })
        )
        expect(yield* Fiber.join(waiting)).toEqual({ _tag: "Charged", available: 10 })
        expect(yield* ledger.charge(next)).toEqual({ _tag: "Charged", available: 9 })
        expect(
          yield* sql`select reference, source from ledger_entry
            where organization_id = ${organizationId} and kind = 'charge' order by reference`
        ).toEqual([
          { reference: last.requestId, source: "allowance" },
          { reference: next.requestId, source: "purchased" }
        ])
      })
    )
  )

  for (const [who, turns] of [
    ["each of another organization", [0, 1, 2]],
    ["some of one organization", [0, 1, 0]]
  ] as const) {
    it.live(`charges of one flush, ${who}, are written with their own cost and time`, () =>
      scene(
        Effect.fnUntraced(function* () {
          const ledger = yield* Ledger
          const sql = yield* SqlClient.SqlClient
          const ids = yield* Effect.replicateEffect(
            Effect.map(newAccount({ pack: "build" }), ({ organizationId }) => organizationId),
            3
          )
          // Asked in the order of their ids backwards.
          const backwards = ids.toSorted().toReversed()
          const charges = turns.flatMap((turn, nth) =>
            backwards.slice(turn, turn + 1).map((id) => chargeOf(id, { cost: nth + 2, atMs: beganMs + nth }))
          )
          yield* Effect.forEach(charges, ledger.charge, { concurrency: "unbounded" })
          const written = yield* sql<{ readonly at: Date }>`select u.organization_id as "organizationId",
              u.request_id as "requestId", e.amount::int as amount, u.cost, u.at
            from usage u join ledger_entry e on e.reference = u.request_id and e.at = u.at order by u.at`
          expect(written).toEqual(
            charges.map(({ organizationId, requestId, cost, atMs }) => ({
              organizationId,
              requestId,
              amount: cost,
              cost,
              at: new Date(atMs)
            }))
          )
        })
      )
    )
  }

  it.live("processes that charge the same organizations in every order never meet in a deadlock", () =>
    scene(
      Effect.fnUntraced(function* (connection) {
        const sql = yield* SqlClient.SqlClient
        const ledgers = [yield* Ledger, yield* ledgerAt(connection), yield* ledgerAt(connection)]
        const ids = yield* Effect.replicateEffect(
          Effect.map(newAccount({ pack: "build" }), ({ organizationId }) => organizationId),
          30
        )
        const charged = (ledger: (typeof ledgers)[number], turn: number) =>
          Effect.forEach(
            ids.map((_, index) => ids[(index * (turn % 2 === 0 ? 7 : 23) + turn) % ids.length] ?? ""),
            (id) => ledger.charge(chargeOf(id as (typeof ids)[number])),
            { concurrency: "unbounded" }
          )
        yield* Effect.forEach(
          ledgers,
          (ledger, nth) =>
            Effect.forEach(Array.from({ length: 40 }), (_, round) => charged(ledger, round + nth)),
          { concurrency: "unbounded" }
        )
        yield* sql`select pg_stat_force_next_flush()`
        expect(
          yield* sql`select deadlocks::int4 from pg_stat_database where datname = current_database()`
        ).toEqual([{ deadlocks: 0 }])
      })
    )
  )
})
