import { it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { poolConnectionsMax } from "../../adapters/postgres/Database.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { chargeOf, newAccount } from "../kit/accounts.ts"
import { executeClaim, freshRequest, keep } from "../kit/idempotencyLaws.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { postgresWritesAt } from "../stores/writes.ts"

const organizations = 40
const table = "create table counter (organization text primary key, count int not null)"

/** Many organizations with a row of their own that each write reads and then changes. */
const organizationsThatCount = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(table)
  return yield* Effect.forEach(Array.from({ length: organizations }), () =>
    Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "scale" })
      yield* sql`insert into counter values (${organizationId}, 0)`
      return organizationId
    })
  )
})

const counting = Effect.fnUntraced(function* (
  organizationId: Effect.Success<typeof organizationsThatCount>[number]
) {
  const sql = yield* SqlClient.SqlClient
  const { write } = yield* Transactions
  const claim = yield* executeClaim(freshRequest())
  const work = Effect.orDie(
    Effect.gen(function* () {
      const [row] = yield* sql<{ readonly count: number }>`select count from counter
        where organization = ${organizationId} for update`
      const count = (row?.count ?? 0) + 1
      yield* sql`update counter set count = ${count} where organization = ${organizationId}`
      return keep(count)
    })
  )
  const ended = yield* Effect.result(write({ claim, charge: chargeOf(organizationId), work }))
  return ended._tag === "Success" ? ended.success._tag : ended.failure.fault
})

/** How many of this database's statements wait for a lock. */
const blocked = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`,
    ([row]) => row?.count ?? 0
  )
)

describe("writes of many organizations at once", () => {
  it.live("what one organization's writes read and change, its others wait for", () =>
    Effect.flatMap(freshDatabase, (connection) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const all = yield* organizationsThatCount
        const writes = Array.from({ length: 6 }, () => all.map(counting)).flat()
        const told = yield* Effect.all(writes, { concurrency: "unbounded" })
        expect(new Set(told)).toEqual(new Set(["Committed"]))
        expect(yield* sql`select distinct count from counter`).toEqual([{ count: 6 }])
      }).pipe(Effect.provide(postgresWritesAt(connection)))
    )
  )

  it.live("an organization whose writes wait for a lock leaves the pool to the others", () =>
    Effect.flatMap(freshDatabase, (connection) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [locked, ...free] = yield* organizationsThatCount
        if (locked === undefined) return yield* Effect.die("no organization")
        const letGo = yield* Deferred.make<void>()
        const held = yield* Deferred.make<void>()
        const holder = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select 1 from counter where organization = ${locked} for update`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(letGo)
          })
        )
        const holding = yield* Effect.forkChild(holder)
        yield* Deferred.await(held)
        const many = Array.from({ length: 3 * poolConnectionsMax }, () => counting(locked))
        const waiting = yield* Effect.forkChild(Effect.all(many, { concurrency: "unbounded" }))
        yield* Effect.repeat(blocked, { until: (count) => count >= 1 })
        const told = yield* Effect.all(free.map(counting), { concurrency: "unbounded" })
        expect(new Set(told)).toEqual(new Set(["Committed"]))
        expect(yield* blocked).toBe(1)
        yield* Deferred.succeed(letGo, undefined)
        yield* Fiber.join(holding)
        expect(new Set(yield* Fiber.join(waiting))).toEqual(new Set(["Committed"]))
      }).pipe(Effect.provide(postgresWritesAt(connection)))
    )
  )
})
